import { resolve } from 'node:path'
import { Argument, Command, CommanderError, Option } from 'commander'
import { version } from '../version.js'
import { CLIENTS } from './client-profile.js'
import { type Environment, readEnvironment } from './environment.js'
import { pluginOption, toAgentPluginPath } from './plugin-option.js'
import { agentCommand, EDITORS, type Editor, setupText } from './setup.js'

/** Runs one command line; resolves to the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode = 0
  const environment = await readEnvironment()
  const program = createProgram(environment, code => {
    exitCode = code
  })
  try {
    if (argv.length <= 2) program.outputHelp()
    else await program.parseAsync(argv as string[])
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    const { printProblem } = await import('./print.js')
    printProblem(`deckhand: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
  return exitCode
}

function createProgram(environment: Environment, exit: (code: number) => void): Command {
  const program = new Command('deckhand')
    .description('An agent for code editors, over the Agent Client Protocol, whose tools own their cards.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(deckhand --help lists the commands)')
    .addHelpText(
      'after',
      `
An editor starts the agent with "deckhand acp" (or "deckhand" with a pipe on stdin).
Set up yours with "deckhand setup zed"; see what it does with "deckhand demo".`,
    )

  program
    .command('acp')
    .description('run the agent on stdin and stdout (what an editor starts)')
    .option('--model <provider/model>', 'the model to talk to')
    .addOption(pluginOption('its absolute path', toAgentPluginPath))
    .option('--login', 'ask for a key and store it, as "deckhand login" does')
    .action(async ({ model, login, plugin }) => {
      // Editors start the agent's own command with the arguments of an auth method behind it.
      if (login) exit(await (await import('./login.js')).runLogin(environment, undefined))
      else await (await import('./acp.js')).runAcp({ model, plugin })
    })

  program
    .command('login')
    .description('store the key of a model provider, after a small request has proved it')
    .argument('[provider]', 'anthropic, deepseek, openai, or one of the config; asked for without it')
    .action(async provider => exit(await (await import('./login.js')).runLogin(environment, provider)))

  program
    .command('logout')
    .description('remove the stored key of a model provider')
    .argument('<provider>', 'its name')
    .action(async provider => exit(await (await import('./login.js')).runLogout(environment, provider)))

  program
    .command('demo')
    .description('start the agent in a scratch project, run real tool calls and draw their cards')
    .option('--model [provider/model]', 'let a model fix a failing test there: the one that is configured, or this one')
    .action(async options => exit(await (await import('./demo/demo.js')).runDemo(environment, options)))

  program
    .command('setup')
    .description("print an editor's configuration for this installation")
    .addArgument(new Argument('<editor>', 'the editor').choices(EDITORS))
    .action(async (editor: Editor) => {
      const { print } = await import('./print.js')
      print(setupText(editor, agentCommand(process.execPath, process.argv[1] ?? 'deckhand')))
    })

  program
    .command('tools')
    .description('list the tools')
    .option('--json', 'their schemas as JSON')
    .addOption(pluginOption('its path', path => resolve(environment.cwd, path)))
    .action(async options => exit(await (await import('./tools.js')).runTools(environment, options)))

  program
    .command('call')
    .description('run one tool and print its card; exit code 1 if it failed')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments]', 'its arguments as JSON', '{}')
    .option('--cwd <dir>', 'working directory')
    .option('--wire', 'print the protocol frames instead of the card')
    .addOption(pluginOption('its path', path => resolve(environment.cwd, path)))
    .addOption(clientOption('with --wire: the kind of client they are for'))
    .action(async (tool, json, options) =>
      exit(await (await import('./call.js')).runCall(environment, tool, json, options)),
    )

  program
    .command('create-plugin')
    .description('write a new plugin: a package in TypeScript with a tool, its diff card and a test')
    .argument('<name>', 'name of the package')
    .option('--dir <dir>', 'where to; default: a folder of that name')
    .action(async (name, options) =>
      exit(await (await import('./create-plugin/index.js')).runCreatePlugin(environment, name, options)),
    )

  const sessions = program.command('sessions').description('list, show and remove recorded sessions')
  sessions
    .command('list', { isDefault: true })
    .description('newest first')
    .option('--cwd <dir>', 'only those of this directory')
    .option('--json', 'one JSON object per line')
    .action(async options => exit(await (await import('./sessions.js')).listSessions(environment, options)))
  sessions
    .command('show')
    .description("print a session's events")
    .argument('<session>', 'the start of its id')
    .option('--json', 'the log lines as they are')
    .action(async (id, options) => exit(await (await import('./sessions.js')).showSession(environment, id, options)))
  sessions
    .command('rm')
    .description('delete sessions')
    .argument('<session...>', 'their ids')
    .action(async ids => exit(await (await import('./sessions.js')).removeSessions(environment, ids)))
  sessions
    .command('prune')
    .description('delete old sessions: over 90 days, and the oldest over 1 GiB in total')
    .action(async () => exit(await (await import('./sessions.js')).pruneSessions(environment)))

  program
    .command('replay')
    .description('print the frames that session/load would send')
    .argument('<session>', "the start of a session's id, or the path of a log")
    .addOption(clientOption('the kind of client they are for'))
    .option('--cards', 'draw the cards instead of printing the frames')
    .action(async (session, options) =>
      exit(await (await import('./replay.js')).runReplay(environment, session, options)),
    )

  program
    .command('view')
    .description('show a recorded session or a transcript of any agent as an editor would; exit code 1 on findings')
    .argument(
      '<source>',
      'the start of a session\'s id, a log, or NDJSON of {dir: "in"|"out", msg} or bare messages; - for stdin',
    )
    .addOption(clientOption('for a session: the kind of client that sees it'))
    .option('--html <file>', 'write one static HTML page instead of drawing in the terminal')
    .action(async (source, options) =>
      exit(await (await import('./view/view.js')).runView(environment, source, options)),
    )

  const permissions = program.command('permissions').description('see what is allowed, and why')
  permissions
    .command('check')
    .description('what would be decided about a shell command of a model, by which row; exit code 0 if it is free')
    .argument('<command>', 'the command, as one word')
    .option('--cwd <dir>', 'working directory, the only root')
    .addOption(new Option('--mode <mode>', "the thread's mode").choices(['ask', 'accept-edits', 'plan', 'full-access']))
    .option('--json', 'as one JSON object')
    .action(async (command, options) =>
      exit(await (await import('./permissions.js')).checkCommand(environment, command, options)),
    )
  permissions
    .command('list')
    .description('what was allowed for good, project by project')
    .option('--json', 'one JSON object per line')
    .action(async options => exit(await (await import('./permissions.js')).listPermissions(environment, options)))
  permissions
    .command('remove')
    .description('take back what was allowed for good')
    .argument('<id...>', 'ids as the list shows them')
    .action(async ids => exit(await (await import('./permissions.js')).removePermissions(environment, ids)))

  program
    .command('doctor')
    .description('check this installation: what is configured, what is missing, how to fix it')
    .action(async () => exit(await (await import('./doctor.js')).runDoctor(environment)))

  program
    .command('check')
    .description('check a recorded transcript of any agent against the wire rules; exit code 1 on findings')
    .argument('<file>', 'NDJSON of {dir: "in"|"out", msg} or bare messages; - for stdin')
    .action(async file => exit(await (await import('./check.js')).runCheck(environment, file)))

  for (const command of program.commands) nameOwnHelp(command, 'deckhand')
  return program
}

function nameOwnHelp(command: Command, above: string): void {
  const name = `${above} ${command.name()}`
  command.showHelpAfterError(`(${name} --help says more)`)
  for (const inner of command.commands) nameOwnHelp(inner, name)
}

function clientOption(description: string): Option {
  return new Option('--client <kind>', description).choices(CLIENTS).default('zed')
}
