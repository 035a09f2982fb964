import { skipOptions } from './options.js'
import { programOf } from './program-name.js'
import type { CommandWord } from './word.js'

/** Programs that no answer allows for good. */
const NEVER = new Set(
  `sudo doas su pkexec run0 runas runuser
  rm rmdir unlink shred del erase rd dd mkfs fdisk parted wipefs format
  npx pnpx bunx uvx
  curl wget http https xh aria2c nc ncat netcat telnet ssh scp sftp rsync ftp lftp tftp socat
  docker docker-compose podman nerdctl
  chmod chown chgrp chattr setfacl icacls takeown
  shutdown reboot halt poweroff`.split(/\s+/),
)

/** Subcommands of the same kind. */
const NEVER_WITH: Readonly<Record<string, readonly string[]>> = {
  bun: ['x', 'create'],
  git: ['push', 'reset', 'clean', 'config', 'restore', 'rm', 'filter-branch', 'submodule', 'bisect'],
  npm: ['exec', 'x', 'init', 'create', 'publish'],
  pipx: ['run'],
  pnpm: ['exec', 'dlx', 'create', 'publish'],
  uv: ['tool'],
  yarn: ['exec', 'dlx', 'create', 'publish'],
}

/** The words of a command that no always-answer is offered for; undefined for others. */
export function findNeverAlways(words: readonly CommandWord[]): string | undefined {
  const program = programOf(words[0])
  if (program === undefined) return undefined
  if (NEVER.has(program) || program.startsWith('mkfs.')) return program
  const args = words.slice(1)
  const subcommand = args[skipOptions(args, 0, program === 'git' ? { values: 'Cc' } : {})]?.value ?? ''
  if (Object.hasOwn(NEVER_WITH, program) && NEVER_WITH[program]?.includes(subcommand)) return `${program} ${subcommand}`
  // What is not committed is lost.
  if (
    program === 'git' &&
    subcommand === 'checkout' &&
    args.some(({ value }) => ['--', '.', '-f', '--force'].includes(value ?? ''))
  ) {
    return 'git checkout --'
  }
  return undefined
}
