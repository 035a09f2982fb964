import type { History } from '../../session/index.js'
import type { ModelPrompt } from './provider/index.js'
import { joinUsers, type Message, toMessage } from './to-message.js'

/**
 * A session's history in the form of the AI SDK. What is settled is converted once and stays the same from request to
 * request, so that a provider finds its cached prefix again.
 */
export class Conversation {
  #messages: Message[] = []
  #converted = 0
  #generation = -1
  #modelId = ''
  readonly #ids = new Map<string, string>()
  readonly #taken = new Set<string>()

  constructor(private readonly history: History) {}

  /** The conversation up to now for this model. */
  toPrompt(modelId: string): ModelPrompt {
    const { settled, generation } = this.history
    if (generation !== this.#generation || modelId !== this.#modelId) {
      this.#messages = []
      this.#converted = 0
      this.#generation = generation
      this.#modelId = modelId
    }
    const context = { modelId, idOf: (callId: string, wanted?: string) => this.#idOf(callId, wanted) }
    for (const entry of settled.slice(this.#converted)) append(this.#messages, toMessage(entry, context))
    this.#converted = settled.length
    const prompt = [...this.#messages]
    for (const entry of this.history.current()) append(prompt, toMessage(entry, context))
    return prompt
  }

  /** The model's own id while it is the only one of this name and has a usual form: some endpoints take only theirs. */
  #idOf(callId: string, wanted: string | undefined): string {
    const known = this.#ids.get(callId)
    if (known !== undefined) return known
    const isUsual = wanted !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(wanted) && !this.#taken.has(wanted)
    const id = isUsual ? wanted : callId
    this.#ids.set(callId, id)
    this.#taken.add(id)
    return id
  }
}

function append(messages: Message[], message: Message | undefined): void {
  if (message === undefined) return
  const last = messages.at(-1)
  if (last?.role !== 'user' || message.role !== 'user') messages.push(message)
  else messages[messages.length - 1] = { ...last, content: joinUsers(last.content, message.content) }
}
