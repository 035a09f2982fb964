import { isAbsolute, relative, resolve } from 'node:path'
import type { ToolCallUpdate } from '@agentclientprotocol/sdk'
import { isFields } from '../../bridge/index.js'

/** The ways to run the scratch project's test. */
const TESTS = /^(?:npm(?: run)? test|npm t|node (?:\.\/)?test\.js|node --test)(?: 2>&1)?$/

/** True for an edit of files of the project, and for a command that runs its test there. */
export function staysInProject({ kind, content, locations, rawInput }: ToolCallUpdate, project: string): boolean {
  const isInside = (path: string) => {
    const steps = relative(project, resolve(project, path))
    return steps !== '..' && !/^\.\.[\\/]/.test(steps) && !isAbsolute(steps)
  }
  if (kind === 'execute') {
    const { command, cwd } = isFields(rawInput) ? rawInput : {}
    const isHere = cwd === undefined || (typeof cwd === 'string' && isInside(cwd))
    return typeof command === 'string' && TESTS.test(command.trim().replace(`cd ${project} && `, '')) && isHere
  }
  const diffs = (content ?? []).flatMap(block => (block.type === 'diff' ? [block.path] : []))
  const paths = [...diffs, ...(locations ?? []).map(({ path }) => path)]
  return kind === 'edit' && paths.length > 0 && paths.every(isInside)
}
