import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { vi } from 'vitest'
import { runProgram } from '../../src/cli/program.js'
import { CLI } from '../support/agent-process.js'

interface CliResult {
  code: number
  stdout: string
  stderr: string
}

interface CliOptions {
  cwd?: string
  env?: Record<string, string | undefined>
  input?: string
}

/** Runs a command line in this process, with pipes for its streams, as the built binary runs it; one at a time. */
export async function runCli(
  args: readonly string[],
  { cwd = tmpdir(), env = {}, input = '' }: CliOptions = {},
): Promise<CliResult> {
  const printed = { stdout: '', stderr: '' }
  const { argv } = process
  const spies = [
    ...(['stdout', 'stderr'] as const).map(name =>
      vi.spyOn(process[name], 'write').mockImplementation(text => {
        printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
        return true
      }),
    ),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(input)]) as typeof process.stdin),
    vi.spyOn(process, 'cwd').mockReturnValue(cwd),
  ]
  const before = Object.keys(env).map(name => [name, process.env[name]] as const)
  setEnvironment(Object.entries(env))
  process.argv = [process.execPath, CLI, ...args]
  try {
    const code = await runProgram(process.argv)
    return { code, ...printed }
  } finally {
    process.argv = argv
    setEnvironment(before)
    for (const spy of spies) spy.mockRestore()
  }
}

function setEnvironment(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}
