import { isSecretName } from '../../workspace/index.js'

/** Folders whose files make code run later, or steer later sessions. */
const STEERING_FOLDERS = new Set(['.husky', '.githooks', '.zed', '.vscode', '.idea', '.claude', '.cursor', '.deckhand'])
const STEERING_FILES = new Set(['.envrc', '.mcp.json', '.npmrc', 'agents.md', 'claude.md', 'skill.md'])
const SOURCE_CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|c|cc|cpp|h|swift|sh|md|html|css|vue|svelte)$/
const TEMPLATE = /\.(?:example|sample|template|dist)$/
const PRIVATE_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519|ed448)(?:_sk)?$/

/** True for an entry of a workspace that commands must not change. `parent` is the name of its folder. */
export function isSteeringName(parent: string, name: string): boolean {
  const lower = name.toLowerCase()
  if (STEERING_FOLDERS.has(lower) || STEERING_FILES.has(lower)) return true
  if (lower === 'workflows') return parent.toLowerCase() === '.github'
  return lower === 'skills' && parent.startsWith('.')
}

/** Paths, from the top of a workspace, that make code run later and that a command might have made or replaced. */
export const STEERING_PATHS = [
  ...[...STEERING_FOLDERS, '.envrc', '.mcp.json', '.npmrc', 'AGENTS.md', 'CLAUDE.md', '.github/workflows'],
  ...['.git', '.git/commondir', '.git/config.worktree'],
]

/**
 * True for a file of a workspace that commands must not read. Narrower than the names that ask when a file tool reads them:
 * a build has to see its own sources, whatever they are called.
 */
export function isHiddenName(name: string): boolean {
  const lower = name.toLowerCase()
  if (!isSecretName(name) || SOURCE_CODE.test(lower) || TEMPLATE.test(lower)) return false
  return !lower.startsWith('id_') || PRIVATE_KEY.test(lower)
}
