import { isHarnessError } from '../../cards/index.js'
import type { Approver, ToolAgent } from '../../registry/index.js'
import type { Permissions } from './permissions.js'
import type { StoredAnswer } from './remembered-shape.js'
import type { Remembered } from './verdict.js'
import { toRejectedNote, toRememberedNote } from './wording.js'

/** Who decides, and who faces the user, if anybody does. */
export interface Desk {
  readonly permissions: Permissions
  approver(): Approver | undefined
}

/** Makes an always-answer hold and says so in the thread. Never rejects: what cannot be stored counts for this call alone. */
export async function rememberAlways(desk: Desk, agent: ToolAgent, answers: readonly Remembered[]): Promise<void> {
  const { remembered } = desk.permissions
  const stored: StoredAnswer[] = []
  let mode: Remembered | undefined
  let problem: string | undefined
  try {
    const project = await desk.permissions.project(agent)
    for (const answer of answers) {
      if (answer.type === 'mode') {
        mode = answer
        desk.permissions.setMode(agent.sessionId, answer.mode)
      } else stored.push(await remembered.add(project, answer))
    }
  } catch (error) {
    problem = isHarnessError(error) ? error.message : 'it could not be stored.'
  }
  note(desk, agent, toRememberedNote(mode, stored, remembered.path))
  if (problem) note(desk, agent, `Allowed this once, but not remembered: ${problem}`)
}

/** Makes a reject_always hold for the session and says so in the thread. */
export function rememberRejection(desk: Desk, agent: ToolAgent, subjects: readonly string[]): void {
  const { rejected } = desk.permissions.session(agent.sessionId)
  for (const subject of subjects) rejected.add(subject)
  note(desk, agent, toRejectedNote(subjects))
}

function note(desk: Desk, agent: ToolAgent, text: string): void {
  if (text) desk.approver()?.note(agent, text)
}
