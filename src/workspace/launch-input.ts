import type { Writable } from 'node:stream'
import type { Context } from 'cordis'

type Launched = Awaited<ReturnType<Context['launcher']['launch']>>

/** What may wait for a process that reads nothing. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** The stdin of a process, for more than one text. */
export function openInput(stdin: Writable): NonNullable<Launched['input']> {
  return {
    write: text =>
      new Promise((resolve, reject) => {
        if (stdin.writableLength > MAX_WAITING_BYTES) {
          reject(new Error('the process does not read its input'))
          return
        }
        stdin.write(text, error => (error ? reject(error) : resolve()))
      }),
    end: () => void stdin.end(),
  }
}
