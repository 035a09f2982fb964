/** How much of a page is read, in bytes. */
export const DEFAULT_BYTES = 1024 * 1024
export const MAX_BYTES = 8 * DEFAULT_BYTES
