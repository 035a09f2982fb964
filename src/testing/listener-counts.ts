import type { EventEmitter } from 'node:events'
import type { Context } from 'cordis'

/** How many listeners each event has. */
export type ListenerCounts = ReadonlyMap<PropertyKey, number>

/** Those of an emitter of Node, such as `process`. */
export function processListeners(emitter: EventEmitter): ListenerCounts {
  return new Map(emitter.eventNames().map(event => [event, emitter.listenerCount(event)]))
}

/** Those of cordis, which all contexts of a host share. */
export function contextListeners(ctx: Context): ListenerCounts {
  return new Map(Reflect.ownKeys(ctx.events._hooks).map(event => [event, ctx.events._hooks[event]?.length ?? 0]))
}

/** One sentence for each event with more listeners than before; `how` is the call that adds one. */
export function moreListeners(before: ListenerCounts, after: ListenerCounts, how: string): string[] {
  return [...after].flatMap(([event, count]) =>
    count > (before.get(event) ?? 0)
      ? [`A listener of ${how}('${String(event)}') is still there when the plugin is gone: take it away in ctx.effect.`]
      : [],
  )
}
