import { basename, dirname } from 'node:path'
import { oneLine } from '../../../cards/index.js'

/** Instructions for one kind of task, in a folder of their own. They are text and allow nothing. */
export interface Skill {
  name: string
  description: string
  /** Absolute path of its SKILL.md. */
  path: string
  /** Directory that the file must not lead out of; absent for the user's own. */
  within?: string
}

const MAX_DESCRIPTION_CHARS = 400
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/

/** The skill of a SKILL.md; undefined if it has neither a usable name nor a folder with one. */
export async function toSkill(path: string, text: string, within?: string): Promise<Skill | undefined> {
  const { head } = splitFrontMatter(text)
  const fields = await readFields(head)
  const folder = basename(dirname(path))
  const name = [fields.name, folder].find(candidate => typeof candidate === 'string' && NAME.test(candidate))
  if (typeof name !== 'string') return undefined
  const description =
    typeof fields.description === 'string' ? oneLine(fields.description.trim(), MAX_DESCRIPTION_CHARS) : ''
  return { name, description, path, ...(within === undefined ? {} : { within }) }
}

/** The YAML between the lines of dashes at the top of a file, and what follows it. */
export function splitFrontMatter(text: string): { head: string; body: string } {
  const match = /^---[ \t]*\r?\n([\s\S]*?)\r?\n?^---[ \t]*(?:\r?\n|$)/m.exec(text)
  if (match?.index !== 0) return { head: '', body: text }
  return { head: match[1] ?? '', body: text.slice(match[0].length) }
}

async function readFields(head: string): Promise<Record<string, unknown>> {
  if (head.trim() === '') return {}
  const { parseDocument } = await import('yaml')
  try {
    const fields: unknown = parseDocument(head, { logLevel: 'silent' }).toJS({ maxAliasCount: 0 })
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
