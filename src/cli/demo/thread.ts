import { relative } from 'node:path'
import type { SessionUpdate } from '../../bridge/index.js'
import { drawCard } from '../draw/draw-card.js'
import { drawPlan } from '../draw/draw-plan.js'
import { type Line, type Style, span } from '../draw/styled.js'
import { wrapText } from '../draw/wrap-text.js'
import { type ClientCard, foldCard } from '../fold/client-card.js'

/** A thread as the demo shows it: text as its lines are whole, calls when they are over, plans as they change. */
export class Thread {
  readonly cards = new Map<string, ClientCard>()
  #pending = ''
  #style: Style = 'plain'

  constructor(
    private readonly project: string,
    private readonly draw: (lines: Line[]) => void,
  ) {}

  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        if (update.content.type !== 'text') return
        this.#write(update.content.text, update.sessionUpdate === 'agent_thought_chunk' ? 'dim' : 'plain')
        break
      case 'plan':
        this.flush()
        this.draw(drawPlan(update.entries))
        break
      case 'tool_call':
      case 'tool_call_update': {
        const card = foldCard(this.cards, update)
        if (card?.status === 'completed' || card?.status === 'failed') this.show(card)
      }
    }
  }

  show(card: ClientCard): void {
    const local = (path: string) => relative(this.project, path) || path
    this.flush()
    this.draw(
      drawCard({
        ...card,
        locations: card.locations.map(location => ({ ...location, path: local(location.path) })),
        content: card.content.map(block => (block.type === 'diff' ? { ...block, path: local(block.path) } : block)),
      }),
    )
  }

  /** Shows text whose line has not ended yet. */
  flush(): void {
    if (this.#pending !== '') this.#print(this.#pending)
    this.#pending = ''
  }

  #write(text: string, style: Style): void {
    if (style !== this.#style) this.flush()
    this.#style = style
    const lines = (this.#pending + text).split('\n')
    this.#pending = lines.pop() ?? ''
    for (const line of lines) this.#print(line)
  }

  #print(line: string): void {
    this.draw(wrapText(line).map(part => [span(part, this.#style)]))
  }
}
