import { sep } from 'node:path'

/** Folders whose files make code run later, or steer later sessions. */
const FOLDERS = new Set(['.git', '.husky', '.githooks', '.zed', '.vscode', '.idea', '.claude', '.cursor', '.deckhand'])
const FILES = new Set(['.git', '.envrc', '.mcp.json', '.npmrc', 'agents.md', 'claude.md', 'skill.md'])

/**
 * True if writing this file makes code run later or steers later sessions: hooks, editor tasks, workflows, instructions for
 * agents, skills. The path is relative to a root; each of its folders counts.
 */
export function isSteering(path: string): boolean {
  const names = path.split(sep).map(toName)
  const last = names.length - 1
  return names.some((name, index) => {
    if (FOLDERS.has(name) || isShortGit(name)) return true
    if (index === last && FILES.has(name)) return true
    const before = names[index - 1]
    if (name === 'workflows') return before === '.github'
    // A program's own folder of that name, src/skills, is none.
    return name === 'skills' && (before === undefined || before.startsWith('.'))
  })
}

// As the most lenient file system reads it: case, Unicode form, invisible characters, and on Windows dots and blanks at the
// end and a stream's name do not count.
function toName(segment: string): string {
  const name = segment
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
  return process.platform === 'win32' ? name.replace(/:.*$/s, '').replace(/[. ]+$/, '') : name
}

// The short name that Windows gives to .git.
function isShortGit(name: string): boolean {
  return process.platform === 'win32' && /^git~\d+$/.test(name)
}
