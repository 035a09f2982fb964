import { basename } from 'node:path'
import type { Command } from '../../registry/index.js'

export interface ShellConfig {
  /** A POSIX shell, or PowerShell, instead of the one that is found: a path, or a name on PATH. */
  path?: string
  /** Start it as a login shell, which reads the user's profile and so knows the PATH of their terminal. */
  login?: boolean
}

/** An argument of a program has 128 KiB on Linux; a UTF-16 unit takes at most three bytes. */
const MAX_ARGUMENT_LENGTH = 40_000

/** What a command sees of the terminal it does not have: no colours, no pager, no editor, no question. */
export const SHELL_ENVIRONMENT = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
}

/** How `shell` is told to run `command`. */
export function toShellCommand(shell: string, command: string, login: boolean): Command {
  if (/^(pwsh|powershell)(\.exe)?$/i.test(basename(shell))) {
    return [shell, '-NoLogo', ...(login ? [] : ['-NoProfile']), '-NonInteractive', '-Command', command]
  }
  const options = login ? ['-l', '-c'] : ['-c']
  if (command.length <= MAX_ARGUMENT_LENGTH) return [shell, ...options, command]
  const parts = splitText(command, MAX_ARGUMENT_LENGTH)
  const joined = parts.map((_, index) => `\${${index + 1}}`).join('')
  // The parts are joined before `set --` takes them away, so that the command sees no arguments.
  return [shell, ...options, `eval "set --\n${joined}"`, basename(shell), ...parts]
}

function splitText(text: string, maxLength: number): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + maxLength, text.length)
    // Never between the halves of a pair.
    if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end -= 1
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}
