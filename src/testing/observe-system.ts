import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { currentTrace, isLaunching, type OtherProcess, type Trace } from './trace.js'

type Listener = (message: unknown) => void

/**
 * Notes in `trace` the processes and the http hosts of its call, which Node tells of; until the function it returns is
 * called. What a process does, synchronous starts (`execSync`) and other sockets stay unseen.
 */
export function observeSystem(trace: Trace): () => void {
  const whenOurs =
    (note: Listener): Listener =>
    message => {
      if (currentTrace() === trace) note(message)
    }
  const listeners: [string, Listener][] = [
    ['child_process', whenOurs(message => noteProcess(trace, message))],
    ['undici:request:create', whenOurs(message => noteHost(trace, originOf(message)))],
    ['http.client.request.start', whenOurs(message => noteHost(trace, hostOf(message)))],
  ]
  for (const [channel, listener] of listeners) subscribe(channel, listener)
  return () => {
    for (const [channel, listener] of listeners) unsubscribe(channel, listener)
  }
}

function noteProcess(trace: Trace, message: unknown): void {
  const { process } = message as { process?: OtherProcess }
  if (process !== undefined && !isLaunching()) trace.otherProcesses.push(process)
}

function noteHost(trace: Trace, host: string | undefined): void {
  if (host)
    trace.hosts.add(
      host
        .toLowerCase()
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, ''),
    )
}

function originOf(message: unknown): string | undefined {
  const { origin } = (message as { request?: { origin?: unknown } }).request ?? {}
  const url = String(origin)
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

function hostOf(message: unknown): string | undefined {
  const { host } = (message as { request?: { host?: unknown } }).request ?? {}
  return typeof host === 'string' ? host : undefined
}
