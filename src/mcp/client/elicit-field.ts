import { oneLine } from '../../cards/index.js'

const MAX_HINT_CHARS = 300
const MAX_OPTIONS = 20
const CONFIRM = 'OK'

type Value = string | number | boolean

/** The one thing that a form asks for. */
export interface Field {
  /** Follows the server's words. */
  readonly hint: string
  /** Absent: free text. */
  readonly options?: readonly string[]
  /** The form as filled in; undefined for an answer that does not fit. */
  toContent(answer: string): Record<string, Value> | undefined
}

/** The field of a form with one, or with none: then there is only a yes. `unfit` says why it cannot be asked. */
export function toField(schema: unknown): Field | { unfit: string } {
  const properties = Object.entries(toRecord(toRecord(schema).properties))
  const [first, ...others] = properties
  if (first === undefined) return { hint: '', options: [CONFIRM], toContent: () => ({}) }
  if (others.length > 0) return { unfit: `its form has ${properties.length} fields, and one can be asked` }
  const [name, given] = first
  const property = toRecord(given)
  const hint = toHint(property)
  const choices = toChoices(property)
  if (choices.length > MAX_OPTIONS) return { unfit: `its form offers more than ${MAX_OPTIONS} choices` }
  if (choices.length > 0) {
    return {
      hint,
      options: choices.map(({ label }) => label),
      toContent: answer => {
        const choice = choices.find(({ label, value }) => label === answer || value === answer)
        return choice && { [name]: choice.value }
      },
    }
  }
  switch (property.type) {
    case 'boolean':
      return {
        hint,
        options: ['Yes', 'No'],
        toContent: answer => (/^(yes|no|true|false)$/i.test(answer) ? { [name]: /^[yt]/i.test(answer) } : undefined),
      }
    case 'number':
    case 'integer':
      return {
        hint,
        toContent: answer => {
          const value = Number(answer)
          const fits = property.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
          return fits && answer.trim() !== '' ? { [name]: value } : undefined
        },
      }
    case 'string':
      return { hint, toContent: answer => ({ [name]: answer }) }
    default:
      return { unfit: 'its form has a field of a kind that cannot be asked' }
  }
}

/** An enum, with names beside it in the older form or as titled constants in the newer one. */
function toChoices({ enum: values, enumNames, oneOf }: Record<string, unknown>): { label: string; value: string }[] {
  const named = Array.isArray(enumNames) ? enumNames : []
  const plain = (Array.isArray(values) ? values : []).map((value, index) => ({ value, label: named[index] ?? value }))
  const titled = (Array.isArray(oneOf) ? oneOf.map(toRecord) : []).map(item => ({
    value: item.const,
    label: item.title ?? item.const,
  }))
  return [...plain, ...titled].flatMap(({ value, label }) =>
    typeof value === 'string' ? [{ value, label: oneLine(String(label), 100) || value }] : [],
  )
}

function toHint({ title, description }: Record<string, unknown>): string {
  const words = [title, description].filter(part => typeof part === 'string').map(part => oneLine(part, MAX_HINT_CHARS))
  const shown = words.filter(part => part !== '').join(': ')
  return shown === '' ? '' : ` (${shown})`
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
