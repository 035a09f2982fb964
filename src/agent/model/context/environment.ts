import { release } from 'node:os'

export interface EnvironmentFacts {
  cwd: string
  roots: readonly string[]
  platform: NodeJS.Platform
  now: Date
  git?: string
}

const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' }

/** Where the session runs, as the model is told once. */
export function toEnvironment({ cwd, roots, platform, now, git }: EnvironmentFacts): string {
  const more = roots.filter(root => root !== cwd)
  return [
    '# Where you work',
    '',
    `Working directory: ${cwd}`,
    ...(more.length > 0 ? [`Further directories of the workspace: ${more.join(', ')}`] : []),
    `System: ${SYSTEMS[platform] ?? platform} ${release()}`,
    `Date: ${toDate(now)}`,
    git === undefined ? 'Git: no repository, or its state is not known' : `Git, when the conversation began: ${git}`,
  ].join('\n')
}

/** The user's day, not UTC's. */
function toDate(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
