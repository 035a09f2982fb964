import { join } from 'node:path'
import { formatBytes } from '../../../cards/index.js'
import { readOwnText } from './own-text.js'

const NAMES = ['AGENTS.md', 'CLAUDE.md']
const MAX_FILE_BYTES = 32 * 1024
const MAX_FILES = 8

/** The user's own instructions and those of each root: AGENTS.md, else CLAUDE.md. Undefined without any. */
export async function toInstructions(roots: readonly string[], configDir?: string): Promise<string | undefined> {
  const own = configDir === undefined ? [] : [readFirst(configDir)]
  const found = await Promise.all([...own, ...roots.slice(0, MAX_FILES).map(root => readFirst(root, root))])
  const sections = found.filter(section => section !== undefined)
  if (sections.length === 0) return undefined
  return ['The user and the project ask you to heed these instructions.', ...sections].join('\n\n')
}

async function readFirst(directory: string, within?: string): Promise<string | undefined> {
  for (const name of NAMES) {
    const path = join(directory, name)
    const file = await readOwnText(path, MAX_FILE_BYTES, within)
    if (file === undefined || file.text.trim() === '') continue
    const more =
      file.bytes > MAX_FILE_BYTES
        ? `\n[${formatBytes(file.bytes - MAX_FILE_BYTES)} more stand in the file: read it if you need them.]`
        : ''
    return `# From ${path}\n\n${file.text.trim()}${more}`
  }
  return undefined
}
