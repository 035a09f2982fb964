import { type ContentBlock, cutText } from '../../cards/index.js'
import type { DriverCommand } from '../driver.js'
import type { Skill } from './context/index.js'

const MAX_SUMMARY_CHARS = 100

/** The skill that a prompt calls by `/name` at its start. `find` is asked only if there is such a word. */
export async function findSkillCall(
  prompt: readonly ContentBlock[],
  find: () => Promise<Skill[]>,
): Promise<Skill | undefined> {
  const first = prompt.find(block => block.type === 'text' && block.text.trim() !== '')
  const name = first?.type === 'text' ? /^\/(\S+)/.exec(first.text.trimStart())?.[1] : undefined
  return name === undefined ? undefined : (await find()).find(skill => skill.name === name)
}

/** Skills as commands for the editor's menu. */
export function toSkillCommands(skills: readonly Skill[]): DriverCommand[] {
  return skills.map(({ name, description }) => ({
    name,
    description: description === '' ? `Skill: /${name}` : `${cutText(description, MAX_SUMMARY_CHARS)}: /${name}`,
  }))
}
