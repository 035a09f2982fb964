import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { cutText, oneLine, visibleControls } from '../../cards/index.js'
import type { Questioner } from '../../registry/index.js'
import { toField } from './elicit-field.js'
import type { RunningCalls } from './running-calls.js'

const MAX_QUESTION_CHARS = 2000

export interface ElicitOptions {
  readonly questioner: Questioner | undefined
  readonly running: RunningCalls
  readonly server: string
  /** Gets why a question was not put to the user. */
  log(line: string): void
}

/**
 * What a server asks the user in the middle of a call. One field at most: the dialogs of editors hold no more. What cannot be
 * asked is declined.
 */
export async function elicit(
  { questioner, running, server, log }: ElicitOptions,
  { params }: ElicitRequest,
): Promise<ElicitResult> {
  const decline = (reason: string): ElicitResult => {
    log(`its question was declined: ${reason}`)
    return { action: 'decline' }
  }
  if (!('requestedSchema' in params)) return decline('only forms are shown, no pages')
  const call = running.latest()
  const agent = call?.exec.agent
  if (!questioner || !call || !agent) return decline('there is nobody to ask, or no call that it belongs to')
  const field = toField(params.requestedSchema)
  if ('unfit' in field) return decline(field.unfit)
  const goOn = call.limit.pause()
  try {
    const answer = await questioner.ask({
      callId: call.exec.callId,
      agent,
      question: cutText(`${oneLine(server, 60)} asks: ${toQuestion(params.message)}${field.hint}`, MAX_QUESTION_CHARS),
      isRunning: true,
      ...(field.options ? { options: field.options } : {}),
      signal: call.stop.signal,
    })
    if ('declined' in answer) {
      log(`its question has no answer: ${answer.declined}`)
      return { action: call.stop.signal.aborted ? 'cancel' : 'decline' }
    }
    const content = field.toContent(answer.answer)
    return content ? { action: 'accept', content } : decline('the answer does not fit')
  } finally {
    goOn()
  }
}

/** Nothing hides in a server's words or reorders them. */
function toQuestion(message: string): string {
  return visibleControls(message.slice(0, MAX_QUESTION_CHARS), { keepNewlines: true })
}
