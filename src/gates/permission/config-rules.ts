import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'
import picomatch from 'picomatch'
import type { Config } from '../../config/index.js'
import type { RuleMatch, Rules } from './policy.js'

export type PermissionConfig = Config['permissions']

const STRICTNESS = ['deny', 'ask', 'allow'] as const
// There a name in another case is the same file.
const NO_CASE = process.platform === 'win32' || process.platform === 'darwin'

type Lists<T> = Record<(typeof STRICTNESS)[number], T[]>

interface PathRule {
  readonly text: string
  readonly absolute: boolean
  /** Paths with `/`. */
  matches(path: string): boolean
}

/** The config's rules, ready to be asked. */
export function compileRules(config: PermissionConfig): Rules {
  const paths = { read: eachList(config.read, toPathRule), write: eachList(config.write, toPathRule) }
  return {
    commands: config.commands,
    forPath: ({ use, path, realPath, relative, realRelative }) => {
      const real = { absolute: [realPath], relative: realRelative }
      const any = { absolute: [realPath, path], relative: [...realRelative, ...relative] }
      return find(paths[use], use, (rule, decision) => {
        // A link's own name must not carry what it leads to into an allow rule.
        const { absolute, relative: names } = decision === 'allow' ? real : any
        return (rule.absolute ? absolute : names).some(name => isCovered(rule, name))
      })
    },
    forHost: host => findName(config.hosts, 'hosts', host.toLowerCase()),
    forTool: name => findName(config.tools, 'tools', name),
  }
}

function findName(lists: Lists<string>, section: string, name: string): RuleMatch | undefined {
  return find(
    eachList(lists, text => ({ text })),
    section,
    ({ text }) => toWildcard(text).test(name),
  )
}

function find<T extends { text: string }>(
  lists: Lists<T>,
  section: string,
  fits: (rule: T, decision: RuleMatch['decision']) => boolean,
): RuleMatch | undefined {
  for (const decision of STRICTNESS) {
    const rule = lists[decision].find(item => fits(item, decision))
    if (rule) return { decision, because: `the rule "${rule.text}" of permissions.${section}.${decision} says so` }
  }
  return undefined
}

/**
 * A rule on paths. It is absolute, or begins with `~/`, or counts from each root; one without a slash fits a name in every
 * folder. It covers what it fits and all below that.
 */
function toPathRule(text: string): PathRule {
  const pattern = toSlashes(text === '~' || /^~[\\/]/.test(text) ? join(homedir(), text.slice(1)) : text)
  const body = pattern.replace(/^\.\//, '').replace(/\/+$/, '')
  const absolute = isAbsolute(text) || text.startsWith('~')
  const glob = absolute || body.includes('/') ? body : `**/${body}`
  return { text, absolute, matches: picomatch(glob, { dot: true, nonegate: true, nocase: NO_CASE, windows: false }) }
}

function isCovered(rule: PathRule, path: string): boolean {
  const names = toSlashes(path)
  if (rule.matches(names)) return true
  for (let end = names.lastIndexOf('/'); end > 0; end = names.lastIndexOf('/', end - 1)) {
    if (rule.matches(names.slice(0, end))) return true
  }
  return false
}

/** `*` stands for any characters. */
function toWildcard(text: string): RegExp {
  const parts = text.split('*').map(part => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 'is')
}

function eachList<From, To>(lists: Lists<From>, map: (item: From) => To): Lists<To> {
  return { deny: lists.deny.map(map), ask: lists.ask.map(map), allow: lists.allow.map(map) }
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
