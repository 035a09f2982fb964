import { readFile } from 'node:fs/promises'

const MAX_SOCKETS = 500

/**
 * The paths of the sockets that processes of this system listen on (Linux; elsewhere none). A network namespace does not cut
 * these off, and whoever listens acts outside the sandbox. Sockets of commands in their own network do not count.
 */
export async function listNamedSockets(): Promise<string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '')
  const paths = table.split('\n').map(line => line.match(/^(?:\S+\s+){7}(\/.*)$/)?.[1])
  return [...new Set(paths.filter(path => path !== undefined))].slice(0, MAX_SOCKETS)
}
