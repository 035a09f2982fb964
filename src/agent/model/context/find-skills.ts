import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readOwnText } from './own-text.js'
import { type Skill, splitFrontMatter, toSkill } from './skill-file.js'

const PROJECT_FOLDERS = [join('.agents', 'skills'), join('.claude', 'skills')]
const MAX_FOLDERS = 200
const MAX_SKILLS = 100
const MAX_HEAD_BYTES = 16 * 1024
const MAX_BODY_BYTES = 128 * 1024

/** The skills of the user, then of each root; of several with one name the first. */
export async function findSkills(roots: readonly string[], configDir?: string): Promise<Skill[]> {
  const places: { folder: string; within?: string }[] = [
    ...(configDir === undefined ? [] : [{ folder: join(configDir, 'skills') }]),
    ...roots.flatMap(root => PROJECT_FOLDERS.map(folder => ({ folder: join(root, folder), within: root }))),
  ]
  const found = await Promise.all(places.map(({ folder, within }) => readFolder(folder, within)))
  const byName = new Map<string, Skill>()
  for (const skill of found.flat()) if (!byName.has(skill.name)) byName.set(skill.name, skill)
  return [...byName.values()].slice(0, MAX_SKILLS)
}

/** The text of a skill, for the model; undefined if the file has gone. */
export async function readSkill({ path, within }: Skill): Promise<string | undefined> {
  const file = await readOwnText(path, MAX_BODY_BYTES, within)
  return file && splitFrontMatter(file.text).body.trim()
}

async function readFolder(folder: string, within?: string): Promise<Skill[]> {
  const names = await readdir(folder).catch(() => [])
  const skills = await Promise.all(
    names
      .sort()
      .slice(0, MAX_FOLDERS)
      .map(async name => {
        const path = join(folder, name, 'SKILL.md')
        const file = await readOwnText(path, MAX_HEAD_BYTES, within)
        return file && toSkill(path, file.text, within)
      }),
  )
  return skills.filter(skill => skill !== undefined)
}
