import type { StandardSchemaV1 } from '@modelcontextprotocol/client'

type AnyResult = Readonly<Record<string, unknown>>

/**
 * Takes any object as a result. The library's own schemas refuse a whole list for one odd tool, and a whole result for one
 * content block of a kind that they do not know (B77).
 */
export const anyResult: StandardSchemaV1<unknown, AnyResult> = {
  '~standard': {
    version: 1,
    vendor: 'deckhand',
    validate: value =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value: value as AnyResult }
        : { issues: [{ message: 'expected an object' }] },
  },
}
