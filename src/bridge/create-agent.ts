import { dirname } from 'node:path'
import type { SessionUpdate, Stream } from '@agentclientprotocol/sdk'
import { methods } from '@agentclientprotocol/sdk'
import type { Context, Plugin } from 'cordis'
import {
  createModelDriver,
  createModelSource,
  type Driver,
  type ModelSelector,
  type ModelSource,
  modelContext,
} from '../agent/index.js'
import { createModelSettings } from '../agent/model/provider/index.js'
import { type Config, defaultConfig, type LoadedConfig, readCredentials } from '../config/index.js'
import { undoCommand } from '../gates/checkpoints/index.js'
import { toPluginNotices } from '../plugins/index.js'
import { SessionStore } from '../session/index.js'
import type { LoginCommand } from './auth-methods.js'
import { checkMessages } from './check/check-messages.js'
import { ClientFiles } from './client-files.js'
import { connectAgent } from './connection.js'
import { createApprover } from './dialogs/approver.js'
import { DialogQueue } from './dialogs/dialog-queue.js'
import { createQuestioner, type QuestionerOptions } from './dialogs/questioner.js'
import { createHost, type Host, type HostLog } from './host-plugins.js'
import { reloadCommand, withPluginDriver } from './plugin-driver.js'
import { type ClientProfile, toClientProfile } from './render/profile.js'
import { SessionTable } from './sessions/session-table.js'

/** How long after the start old logs are removed: an editor's first prompt comes before it. */
const PRUNE_DELAY_MS = 3000
/** A session waits no longer than this for the user's plugins. */
const PLUGIN_WAIT_MS = 3000
/** The end of the process does not wait longer than this for what refuses to end. */
const CLOSE_LIMIT_MS = 5000

export interface AgentOptions {
  /** Messages from and to the client; see `stdioStream`. */
  stream: Stream
  /** Absolute. Session logs live below it. */
  stateDir: string
  /** The user's settings; without it, those of a user without a config file. */
  config?: Config
  /** Where the config file is, or would be: no tool may touch it. */
  configPath?: string
  /** Where the keys of model providers are, or would be: no tool may touch it either. */
  credentialsPath?: string
  /** Lines that every thread begins with: what is wrong with the config. */
  notices?: readonly string[]
  /** Cordis plugins: tools and gates besides the shipped ones. */
  plugins?: readonly Plugin[]
  /** Plugins to import besides the config's, absolute paths. */
  pluginPaths?: readonly string[]
  /** Reads the config file again when the user wants its plugins anew. Default: the list stays. */
  rereadConfig?: () => Promise<LoadedConfig>
  /** The model to talk to, as `provider/model`; without it the environment, the config and the keys decide. */
  model?: string
  /** How a client starts this installation to log in; without it no login is offered. */
  login?: LoginCommand
  /** Where keys and the choice of a model may stand besides the files. Default: nowhere. */
  env?: Readonly<Record<string, string | undefined>>
  /** What decides the next tool call; without it a model if there is one, else the console. */
  driver?: (ctx: Context) => Driver
  /** Gets what is for the log file; default: nothing is kept. */
  log?: HostLog
  /** Checks every message against the wire rules: `log` reports findings, `throw` refuses to send. */
  check?: 'off' | 'log' | 'throw'
}

export interface Agent {
  /** Settles when the connection has ended and everything it started is gone. */
  readonly closed: Promise<void>
  /** Ends the connection. */
  close(): Promise<void>
}

/** An agent on one connection: registry, tools, sessions, and the protocol in front of them. */
export function createAgent(options: AgentOptions): Agent {
  const { stream, stateDir, plugins = [], driver: makeDriver, log = () => {}, check = 'off' } = options
  const host = createHost([modelContext(toContextOptions(options)), ...plugins], log, options)
  const { ctx, userPlugins } = host
  // A plugin that takes longer comes into a session that has begun.
  let pluginsAwaited: Promise<void> | undefined
  const ready = () => {
    pluginsAwaited ??= host.ready.then(() => Promise.race([userPlugins.load(), limit(PLUGIN_WAIT_MS)]))
    return pluginsAwaited
  }
  const store = new SessionStore(stateDir)
  let profile: ClientProfile = toClientProfile(undefined)

  const send = (sessionId: string, update: SessionUpdate) =>
    connection.client.notify(methods.client.session.update, { sessionId, update })
  const models = toModelSource(options)
  let driver: Driver | undefined
  const sessions = new SessionTable({
    ctx,
    store,
    notices: () => [...(options.notices ?? []), ...toPluginNotices(userPlugins.reports)],
    // The plugins stand before the first session is asked for.
    driver: () => {
      driver ??= makeDriver?.(ctx) ?? withPluginDriver(ctx, toModelDriver(host, models, options))
      return driver
    },
    ...(makeDriver ? {} : { selector: models }),
    client: () => ({ profile, presenter: ctx.tools, send, log }),
    editor: id =>
      profile.files && (options.config?.clientFiles ?? true) ? new ClientFiles(connection.client, id) : undefined,
  })
  const connection = connectAgent({
    stream,
    sessions,
    ready,
    ...(options.login ? { login: options.login } : {}),
    log,
    onProfile: declared => {
      profile = declared
      // In the background of the answer to initialize.
      setImmediate(() => void ready())
    },
    ...(check === 'off' ? {} : { onMessage: checkMessages(check, log) }),
  })
  const user: Pick<QuestionerOptions, 'find' | 'request' | 'dialogs' | 'onWait' | 'log'> = {
    find: id => sessions.find(id),
    request: (params, signal) =>
      connection.client.request(methods.client.session.requestPermission, params, untilAborted(signal)),
    dialogs: new DialogQueue(),
    onWait: (call, answered) => ctx.emit('tools/wait', call, answered),
    log,
  }
  ctx.provide('approver', createApprover({ ...user, isClosed: () => connection.signal.aborted }))
  ctx.provide(
    'questioner',
    createQuestioner({
      ...user,
      hasForms: () => profile.forms,
      elicit: (params, signal) =>
        connection.client.request(methods.client.elicitation.create, params, untilAborted(signal)),
    }),
  )
  const prune = setTimeout(() => {
    void removeOld(store, ctx).catch(error => log('warn', 'Old sessions could not be removed:', error))
  }, PRUNE_DELAY_MS).unref()

  const closed = connection.closed.then(async () => {
    clearTimeout(prune)
    const ended = sessions.closeAll().then(() => host.close())
    await Promise.race([ended, limit(CLOSE_LIMIT_MS)]).catch(error =>
      log('error', 'The agent did not end cleanly:', error),
    )
  })
  return {
    closed,
    close: () => {
      connection.close()
      return closed
    },
  }
}

function toModelSource(options: AgentOptions): ModelSource & ModelSelector {
  const { env = {}, config = defaultConfig(), credentialsPath, model } = options
  const settings = createModelSettings({
    env,
    config,
    credentials: async () => (credentialsPath === undefined ? {} : readCredentials(credentialsPath)),
  })
  return createModelSource(settings, model)
}

function toModelDriver({ ctx, userPlugins }: Host, source: ModelSource, options: AgentOptions): Driver {
  return createModelDriver({
    ctx,
    source,
    sessionCommands: [...(ctx.get('checkpoints') ? [undoCommand] : []), reloadCommand(userPlugins)],
    ...toContextOptions(options),
  })
}

/** The user's own instructions and skills stand beside the config file. */
function toContextOptions({ configPath }: AgentOptions): { configDir?: string } {
  return configPath === undefined ? {} : { configDir: dirname(configPath) }
}

/** Sessions past their time, and what was kept for their undo. */
async function removeOld(store: SessionStore, ctx: Context): Promise<void> {
  const { removed } = await store.prune()
  for (const id of removed) await ctx.get('checkpoints')?.forget(id)
}

function untilAborted(signal: AbortSignal) {
  return { cancellationSignal: signal, stopWaitingOnCancel: true }
}

function limit(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
