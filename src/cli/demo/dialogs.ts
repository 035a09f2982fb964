import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { isFields, toItems } from '../../bridge/index.js'
import { ask, type Terminal } from '../ask.js'
import { askKey } from '../ask-key.js'
import { type Line, span } from '../draw/styled.js'
import { wrapText } from '../draw/wrap-text.js'
import { staysInProject } from './stays-in-project.js'

/** Whoever answers the agent's questions. `signal` fires when the agent takes a question back. */
export interface Dialogs {
  permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>
  question(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse>
}

export interface UserOptions {
  terminal: Terminal
  draw(lines: Line[]): void
  /** The user has pressed Ctrl-C at a question. */
  onInterrupt(): void
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }
const DECLINED: CreateElicitationResponse = { action: 'decline' }

/** The user at a terminal: answers are numbered, one key chooses. */
export function askUser({ terminal, draw, onInterrupt }: UserOptions): Dialogs {
  async function choose(choices: readonly string[], signal: AbortSignal): Promise<number | undefined> {
    const keys = choices.map((_, index) => String(index + 1))
    draw(choices.map((choice, index) => [span(`  ${keys[index]} `, 'accent'), span(choice)]))
    const key = await askKey(keys, terminal, signal)
    if (key === undefined && !signal.aborted) onInterrupt()
    return key === undefined ? undefined : Number(key) - 1
  }

  return {
    async permission({ options, _meta }, signal) {
      draw([[span(`May this run? ${toReason(_meta)}`, 'bold')]])
      const index = await choose(options.map(toLabel), signal)
      const option = index === undefined ? undefined : options[index]
      return option ? select(option) : CANCELLED
    },

    async question(request, signal) {
      const form = toForm(request)
      if (!form) return DECLINED
      draw(wrapText(request.message).map(line => [span(line, 'bold')]))
      if (form.choices.length > 0) {
        const index = await choose([...form.choices, 'Another answer'], signal)
        if (index === undefined) return DECLINED
        const answer = form.choices[index]
        if (answer !== undefined) return { action: 'accept', content: { answer } }
      }
      const typed = await ask('> ', terminal, { echo: true })
      return typed ? { action: 'accept', content: { [form.choices.length > 0 ? 'other' : 'answer']: typed } } : DECLINED
    },
  }
}

/** Nobody at a terminal: what stays in the scratch project is allowed once, all else is refused, and the drawing says so. */
export function answerForUser(project: string, draw: (lines: Line[]) => void): Dialogs {
  const tell = (text: string) => draw([[span(text, 'dim')]])
  return {
    async permission({ toolCall, options, _meta }) {
      const stays = staysInProject(toolCall, project)
      const option = options.find(({ kind }) => kind === (stays ? 'allow_once' : 'reject_once'))
      const answer = stays
        ? 'allowed once, since it stays in the scratch project'
        : 'refused, since it could leave the scratch project; a terminal would ask you'
      tell(`Asked: ${toolCall.title ?? 'a call'} ${toReason(_meta)}. Nobody is at a terminal: ${answer}.`)
      return option ? select(option) : CANCELLED
    },

    async question(request) {
      const form = toForm(request)
      const answer = form?.choices[0] ?? 'Do what seems best to you.'
      tell(`Asked: ${request.message} Nobody is at a terminal: ${form ? `answered "${answer}"` : 'declined'}.`)
      return form ? { action: 'accept', content: { answer } } : DECLINED
    },
  }
}

/** A form that asks for one answer, with what there is to choose from; undefined for any other. */
function toForm(request: CreateElicitationRequest): { choices: string[] } | undefined {
  if (request.mode !== 'form') return undefined
  const { properties } = isFields(request.requestedSchema) ? request.requestedSchema : {}
  if (!isFields(properties) || !isFields(properties.answer)) return undefined
  if (Object.keys(properties).some(name => name !== 'answer' && name !== 'other')) return undefined
  return { choices: toChoices(properties.answer.enum) }
}

function toChoices(list: unknown): string[] {
  // One key chooses, and one of nine is for another answer.
  return Array.isArray(list) ? list.filter(item => typeof item === 'string').slice(0, 8) : []
}

function select({ optionId }: PermissionOption): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } }
}

function toLabel({ name }: PermissionOption): string {
  return name
}

/** Why it is asked, as Deckhand says it besides the protocol. */
function toReason(meta: RequestPermissionRequest['_meta']): string {
  const [deckhand] = toItems([meta?.deckhand])
  return typeof deckhand?.reason === 'string' ? `(${deckhand.reason})` : ''
}
