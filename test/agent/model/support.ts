import type { Context } from 'cordis'
import { runTurn, type TurnOptions, type TurnOutcome } from '../../../src/agent/index.js'
import { createModelDriver, type ModelDriverOptions, type ModelSource } from '../../../src/agent/model/index.js'
import type { Model, ModelPart, ModelRequest } from '../../../src/agent/model/provider/index.js'
import { type ContentBlock, text } from '../../../src/cards/index.js'
import { SystemPrompt } from '../../../src/registry/index.js'
import { History, type SessionEvent } from '../../../src/session/index.js'
import { startRegistry } from '../../registry/support.js'

/** What a model answers to one request: parts, an error at the end of them, or a function of the request. */
export type Answer =
  | readonly (ModelPart | Error)[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>)

/** A model that gives these answers, one per request, and keeps the requests as they were. */
export function scriptedModel(answers: readonly Answer[], facts: Partial<Model> = {}) {
  const requests: ModelRequest[] = []
  const model: Model = {
    id: 'test/model',
    images: true,
    ...facts,
    async *stream(request, signal) {
      requests.push(structuredClone(request))
      const answer = answers[requests.length - 1]
      if (answer === undefined) throw new Error(`the script has no answer ${requests.length}`)
      if (typeof answer === 'function') yield* answer(request, signal)
      else {
        for (const part of answer) {
          signal.throwIfAborted()
          if (part instanceof Error) throw part
          yield part
        }
      }
    },
  }
  return { model, requests }
}

export function sourceOf(model: Model | undefined): ModelSource {
  return {
    choose: async () =>
      model
        ? { choice: { provider: 'test', model: 'model' }, source: 'key' }
        : { choice: undefined, advice: 'No model.' },
    open: async () => model as Model,
    canned: async () => model as Model,
  }
}

export const says = (words: string, id = 'b0'): ModelPart => ({ type: 'text', id, text: words })
export const thinks = (words: string, id = 'b1'): ModelPart => ({ type: 'thought', id, text: words })
export const finish = (
  reason: Extract<ModelPart, { type: 'finish' }>['reason'] = 'stop',
  usage: Extract<ModelPart, { type: 'finish' }>['usage'] = {},
): ModelPart => ({ type: 'finish', reason, usage })

/** A call whose arguments come in these pieces. */
export function asks(id: string, name: string, ...pieces: string[]): ModelPart[] {
  return [
    { type: 'call-start', id, name },
    ...pieces.map((piece): ModelPart => ({ type: 'call-delta', id, text: piece })),
    { type: 'call', id, name, arguments: pieces.join('') },
  ]
}

/** Never answers; ends with the signal. */
export async function* silence(_request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
  await new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** A registry with a system prompt; the agent's own sections are not there. */
export async function startModelRegistry(): Promise<Context> {
  const ctx = await startRegistry({ abortGraceMs: 50 })
  await ctx.plugin(SystemPrompt)
  return ctx
}

export interface ModelBench {
  ctx: Context
  events: SessionEvent[]
  history: History
  requests: ModelRequest[]
  notices: string[]
  controller: AbortController
  prompt(words: string | ContentBlock[], options?: Partial<TurnOptions>): Promise<TurnOutcome>
}

/** Turns of one session with a scripted model. */
export async function openModelBench(
  answers: readonly Answer[],
  { facts, ctx: given, ...options }: { facts?: Partial<Model>; ctx?: Context } & Partial<ModelDriverOptions> = {},
): Promise<ModelBench> {
  const ctx = given ?? (await startModelRegistry())
  const { model, requests } = scriptedModel(answers, facts)
  const driver = createModelDriver({ ctx, source: sourceOf(model), ...options })
  const bench: ModelBench = {
    ctx,
    events: [],
    history: new History(),
    requests,
    notices: [],
    controller: new AbortController(),
    prompt: (words, more = {}) =>
      runTurn({
        tools: ctx.tools,
        driver,
        agent: { sessionId: 's', cwd: '/w', roots: ['/w'] },
        prompt: typeof words === 'string' ? [text(words)] : words,
        turnId: `t${bench.events.length}`,
        history: bench.history,
        signal: bench.controller.signal,
        emit: event => void bench.events.push(event),
        notify: line => bench.notices.push(line) > 0,
        nextCallId: () => `c${++calls}`,
        driverGraceMs: 50,
        ...more,
      }),
  }
  let calls = 0
  return bench
}

/** The prompt of a request in short: `user: hi`, `assistant: [thought] text call(id)`, `tool: id=ok`. */
export function sketch({ prompt }: Pick<ModelRequest, 'prompt'>): string[] {
  return prompt.map(message => {
    if (message.role === 'system') return `system: ${message.content}`
    const parts = message.content.map(part => {
      switch (part.type) {
        case 'text':
          return part.text
        case 'reasoning':
          return `<${part.text}>`
        case 'file':
          return `[${part.mediaType}]`
        case 'tool-call':
          return `${part.toolName}(${part.toolCallId})`
        case 'tool-result':
          return `${part.toolCallId}=${part.output.type}`
        default:
          return part.type
      }
    })
    return `${message.role}: ${parts.join(' ')}`
  })
}
