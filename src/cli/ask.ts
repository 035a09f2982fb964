import type { ReadStream } from 'node:tty'

/** Bounds what a pipe may send as a key. */
const MAX_CHARACTERS = 16 * 1024

export interface Terminal {
  input: Pick<ReadStream, 'on' | 'off' | 'setRawMode' | 'pause' | 'resume'>
  output: Pick<NodeJS.WritableStream, 'write'>
}

/**
 * One line typed at a terminal, shown only if `echo`. Undefined if the user gives up with Ctrl-C, Ctrl-D or Escape. The
 * terminal is left as it was.
 */
export function ask(
  question: string,
  { input, output }: Terminal,
  { echo }: { echo: boolean },
): Promise<string | undefined> {
  output.write(question)
  input.setRawMode(true)
  input.resume()
  return new Promise((resolve, reject) => {
    let typed = ''
    const finish = (answer: string | undefined) => {
      input.off('data', onData)
      input.off('end', onEnd)
      input.off('error', onError)
      input.setRawMode(false)
      input.pause()
      output.write('\n')
      resolve(answer)
    }
    const onEnd = () => finish(undefined)
    const onError = (error: Error) => {
      finish(undefined)
      reject(error)
    }
    const onData = (chunk: Buffer | string) => {
      const text = chunk.toString()
      if (text === '\x1b') return finish(undefined)
      // Arrow keys and the marks of a pasted text are no part of it.
      for (const character of text.replace(/\x1b(?:\[[0-9;?]*[@-~]|O.)/g, '')) {
        if (character === '\r' || character === '\n') return finish(typed)
        if (character === '\x03' || character === '\x04') return finish(undefined)
        if (character === '\x15') typed = ''
        else if (character === '\x7f' || character === '\b') {
          if (echo && typed !== '') output.write('\b \b')
          typed = [...typed].slice(0, -1).join('')
        } else if (character >= ' ' && typed.length < MAX_CHARACTERS) {
          typed += character
          if (echo) output.write(character)
        }
      }
    }
    input.on('data', onData)
    input.on('end', onEnd)
    input.on('error', onError)
  })
}

/** The first line of a pipe. */
export async function readLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.includes('\n') || text.length > MAX_CHARACTERS) break
  }
  return text.split(/\r?\n/)[0] ?? ''
}
