import type { Terminal } from './ask.js'

/**
 * The first of `keys` that is typed at a terminal; undefined if the user gives up with Ctrl-C, or the signal fires. The
 * terminal is left as it was.
 */
export function askKey(
  keys: readonly string[],
  { input }: Pick<Terminal, 'input'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (signal?.aborted) return Promise.resolve(undefined)
  input.setRawMode(true)
  input.resume()
  return new Promise((resolve, reject) => {
    const finish = (answer: string | undefined) => {
      input.off('data', onData)
      input.off('end', giveUp)
      input.off('error', onError)
      signal?.removeEventListener('abort', giveUp)
      input.setRawMode(false)
      input.pause()
      resolve(answer)
    }
    const giveUp = () => finish(undefined)
    const onError = (error: Error) => {
      finish(undefined)
      reject(error)
    }
    const onData = (chunk: Buffer | string) => {
      for (const character of chunk.toString()) {
        if (character === '\x03' || character === '\x04') return giveUp()
        if (keys.includes(character)) return finish(character)
      }
    }
    input.on('data', onData)
    input.on('end', giveUp)
    input.on('error', onError)
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}
