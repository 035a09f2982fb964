/**
 * Resolves when the SDK can check the params of messages; what comes before must not reach it. With the SDK as it is installed
 * that is always so. The build of the bin puts another module in the place of this one: there, the SDK's schemas and zod are
 * loaded when the first message comes that is not read without them.
 */
export async function loadMessageSchemas(): Promise<void> {}
