import type { Frame } from './agent-client.js'
import { foldUpdates } from './fold.js'

export type Card = Extract<ReturnType<typeof foldUpdates>['entries'][number], { type: 'call' }>

/** The cards that a client shows after these updates, in order. */
export function cards(updates: readonly Frame[]): Card[] {
  return foldUpdates(updates).entries.flatMap(entry => (entry.type === 'call' ? [entry] : []))
}

/** Text of the agent's messages among these updates. */
export function messageText(updates: readonly Frame[]): string {
  return updates
    .filter(update => update.sessionUpdate === 'agent_message_chunk')
    .map(update => update.content.text)
    .join('')
}

/** Text of a card's content, terminals apart. */
export function contentText({ fields }: Card): string {
  return (fields.content as Frame[])
    .map(item => (item.type === 'content' ? item.content.text : `[${item.type}]`))
    .join('\n')
}
