import { access, constants, mkdir } from 'node:fs/promises'
import { chooseModel, createHost, findMissingProgram } from '../bridge/index.js'
import { describeProblem } from '../config/index.js'
import { version } from '../version.js'
import { type Line, span } from './draw/styled.js'
import { type Environment, toHostSettings } from './environment.js'
import { logTo } from './log-file.js'
import { toModelSettings } from './model-settings.js'
import { printLines } from './print.js'

interface Check {
  ok: boolean
  what: string
  /** What to do about it, in lines. */
  advice?: string[]
}

/** `deckhand doctor`: what this installation can do, what is missing and how to fix it; 1 if the agent could not run. */
export async function runDoctor(environment: Environment): Promise<number> {
  const checks = [
    checkNode(process.versions.node),
    await checkStateDir(environment.stateDir),
    await checkConfig(environment),
    ...(await checkTools(environment)),
    await checkCommands(environment),
    ...toServerChecks(environment),
    await checkModel(environment),
  ]
  const lines = checks.flatMap(({ ok, what, advice }): Line[] => [
    [span(ok ? 'ok   ' : 'fix  ', ok ? 'ok' : 'fail'), span(what)],
    ...(advice ?? []).map((text): Line => [span(`     ${text}`, 'dim')]),
  ])
  printLines([[span(`deckhand ${version}`, 'bold')], ...lines])
  return checks.every(({ ok }) => ok) ? 0 : 1
}

function checkNode(found: string): Check {
  const [major = 0, minor = 0] = found.split('.').map(Number)
  const ok = major > 20 || (major === 20 && minor >= 19)
  return { ok, what: `Node ${found}`, ...(ok ? {} : { advice: ['Deckhand needs Node 20.19 or newer.'] }) }
}

async function checkStateDir(stateDir: string): Promise<Check> {
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 })
    await access(stateDir, constants.W_OK)
    return { ok: true, what: `State directory ${stateDir}` }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      ok: false,
      what: `State directory ${stateDir} cannot be written (${reason})`,
      advice: ['Make it writable, or name another one with DECKHAND_STATE_DIR.'],
    }
  }
}

async function checkConfig({ settings: { path, problems } }: Environment): Promise<Check> {
  if (problems.length === 0) {
    const exists = await access(path).then(
      () => true,
      () => false,
    )
    return { ok: true, what: exists ? `Config ${path}` : `No config file (${path} would be it); the defaults hold` }
  }
  return {
    ok: false,
    what: `Config ${path} is faulty`,
    advice: [
      ...problems.map(problem => describeProblem(path, problem)),
      'Until it is mended, what it allows does not count and everything asks.',
    ],
  }
}

/** The tools, those of plugins included, and each plugin with what is wrong with it. */
async function checkTools(environment: Environment): Promise<Check[]> {
  const host = createHost([], logTo(environment), toHostSettings(environment))
  await host.ready
  await host.userPlugins.load()
  const names = host.ctx.tools.schemas().map(({ name }) => name)
  const plugins = host.userPlugins.reports.map(({ label, source, problems }): Check => {
    const from = label === source ? '' : ` (${source})`
    const ok = problems.length === 0
    return { ok, what: `Plugin ${label}${from}`, ...(ok ? {} : { advice: [...problems] }) }
  })
  await host.close()
  return [{ ok: names.length > 0, what: `Tools: ${names.join(', ')}` }, ...plugins]
}

async function checkCommands(environment: Environment): Promise<Check> {
  const host = createHost([], logTo(environment), toHostSettings(environment))
  await host.ready
  try {
    const child = await host.ctx.launcher.launch('doctor', [process.execPath, '-e', '0'], { cwd: environment.cwd })
    const { exitCode } = await child.exited
    return { ok: exitCode === 0, what: 'Commands can be started' }
  } catch (error) {
    return { ok: false, what: `Commands cannot be started: ${error instanceof Error ? error.message : String(error)}` }
  } finally {
    await host.close()
  }
}

/** What the config says, and whether the programs are there: a server is started by a session. */
function toServerChecks({ env, settings: { config } }: Environment): Check[] {
  const servers = Object.entries(config.mcpServers)
  if (servers.length === 0) return []
  const lines = servers.map(([name, { command, args, url, disabled, trusted }]) => {
    const what = command === undefined ? url : [command, ...args].join(' ')
    return `${name}: ${what}${trusted ? ' (trusted)' : ''}${disabled ? ' (disabled)' : ''}`
  })
  const missing = servers.flatMap(([name, server]): Check[] => {
    const reason = findMissingProgram(server, env)
    if (reason === undefined) return []
    const advice =
      'Install it, or give its absolute path as the command: an editor may start Deckhand with another PATH.'
    return [{ ok: false, what: `MCP server ${name} cannot be started: ${reason}`, advice: [advice] }]
  })
  return [
    { ok: true, what: 'MCP servers, which each thread starts for itself; not started now', advice: lines },
    ...missing,
  ]
}

async function checkModel(environment: Environment): Promise<Check> {
  try {
    const chosen = await chooseModel(toModelSettings(environment))
    if (chosen.choice === undefined) {
      return {
        ok: true,
        what: 'No model: tools are run by hand from the prompt (!command, /tool)',
        advice: [chosen.advice],
      }
    }
    const { provider, model } = chosen.choice
    return { ok: true, what: `Model ${provider}/${model}, chosen by ${CHOSEN_BY[chosen.source]}` }
  } catch (error) {
    return { ok: false, what: error instanceof Error ? error.message : String(error) }
  }
}

const CHOSEN_BY = {
  explicit: 'the command line',
  environment: 'DECKHAND_MODEL',
  config: 'the config file',
  key: 'the one key there is',
} as const
