import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { checkTranscript, transcriptLines } from '../bridge/index.js'
import { cutText, HarnessError } from '../cards/index.js'
import type { Environment } from './environment.js'
import { print } from './print.js'

const MAX_ID_CHARS = 200

/** `deckhand check`: the findings in a transcript, one a line; 1 if there are any. */
export async function runCheck({ cwd }: Environment, file: string): Promise<number> {
  const input = file === '-' ? process.stdin : createReadStream(resolve(cwd, file))
  const failure = new Promise<never>((_, reject) => {
    input.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'ENOENT'
          ? new HarnessError('NOT_FOUND', `${file}: no such file. Name a transcript, or - for stdin.`)
          : error,
      )
    })
  })
  const count = await Promise.race([report(transcriptLines(input)), failure])
  print(count === 0 ? 'No findings.' : `${count} finding${count === 1 ? '' : 's'}.`)
  return count === 0 ? 0 : 1
}

async function report(lines: AsyncIterable<string | undefined>): Promise<number> {
  let count = 0
  for await (const { line, rule, text, toolCallId } of checkTranscript(lines)) {
    count++
    print(`line ${line}: rule ${rule}: ${text}${toolCallId ? ` (call ${cutText(toolCallId, MAX_ID_CHARS)})` : ''}`)
  }
  return count
}
