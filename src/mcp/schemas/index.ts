export { checkRequired, toServerArguments } from './arguments.js'
export { type InputSchema, toInputSchema } from './to-input-schema.js'
