import { type Fields, isFields, toItems, toText } from '../../bridge/index.js'
import type { Question } from './entry.js'

/** The question in a request of an agent; undefined for a request that asks nothing. */
export function questionOf(method: string, params: Fields): Question | undefined {
  if (method === 'session/request_permission') {
    const options = toItems(params.options).map(({ optionId, name, kind }) => {
      const id = toText(optionId) ?? ''
      return { id, name: toText(name) ?? id, ...(typeof kind === 'string' ? { kind } : {}) }
    })
    return { text: reasonOf(params) ?? 'Allow this call?', options }
  }
  if (method !== 'elicitation/create') return undefined
  const schema = isFields(params.requestedSchema) ? params.requestedSchema : {}
  const properties = isFields(schema.properties) ? Object.entries(schema.properties) : []
  const options = properties.slice(0, 50).map(([id, property]) => ({ id, name: fieldName(id, property) }))
  const url = toText(params.url)
  return { text: `${toText(params.message) ?? ''}${url === undefined ? '' : `\n${url}`}`, options }
}

/** The answer in a client's response. */
export function answerOf(question: Question, message: Fields): NonNullable<Question['answer']> {
  const result = isFields(message.result) ? message.result : undefined
  if (!result) return { text: 'answered by an error' }
  const { outcome, action, content } = result
  if (isFields(outcome)) {
    const optionId = toText(outcome.optionId)
    if (outcome.outcome !== 'selected' || optionId === undefined) return { text: toText(outcome.outcome) ?? 'unknown' }
    const name = question.options.find(({ id }) => id === optionId)?.name
    return { optionId, text: name ?? `${optionId}, which is no option` }
  }
  const given = isFields(content) ? Object.entries(content).map(([key, value]) => `${key}: ${showValue(value)}`) : []
  return { text: [toText(action) ?? 'unknown', ...given].join('\n') }
}

function reasonOf({ _meta }: Fields): string | undefined {
  const own = isFields(_meta) ? _meta.deckhand : undefined
  return isFields(own) ? toText(own.reason) : undefined
}

function fieldName(id: string, property: unknown): string {
  if (!isFields(property)) return id
  const choices = Array.isArray(property.enum) ? ` (${property.enum.map(showValue).join(', ')})` : ''
  return `${toText(property.title) ?? id}${choices}`
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
