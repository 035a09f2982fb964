import { dirname } from 'node:path'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
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
import { defaultConfig, readCredentials } from '../config/index.js'
import { undoCommand } from '../gates/checkpoints/index.js'
import { toPluginNotices } from '../plugins/index.js'
import { SessionStore } from '../session/index.js'
import { ClientFiles } from './client-files.js'
import type { AgentHost } from './connect/late-host.js'
import type { ClientLink, HostLog } from './connect/serve-agent.js'
import { createApprover } from './dialogs/approver.js'
import { DialogQueue } from './dialogs/dialog-queue.js'
import { createQuestioner, type QuestionerOptions } from './dialogs/questioner.js'
import { createHost, type Host, type HostSettings } from './host-plugins.js'
import { reloadCommand, withPluginDriver } from './plugin-driver.js'
import { SessionTable } from './sessions/session-table.js'
import { WarmUp } from './warm-up.js'

/** How long after the start old logs are removed: an editor's first prompt comes before it. */
const PRUNE_DELAY_MS = 3000
/** A session waits no longer than this for the user's plugins. */
const PLUGIN_WAIT_MS = 3000

/** What an agent is set up from; session logs live below its state directory. */
export interface AgentHostOptions extends HostSettings {
  /** Lines that every thread begins with: what is wrong with the config. */
  notices?: readonly string[]
  /** Cordis plugins: tools and gates besides the shipped ones. */
  plugins?: readonly Plugin[]
  /** The model to talk to, as `provider/model`; without it the environment, the config and the keys decide. */
  model?: string
  /** Where keys and the choice of a model may stand besides the files. Default: nowhere. */
  env?: Readonly<Record<string, string | undefined>>
  /** What decides the next tool call; without it a model if there is one, else the console. */
  driver?: (ctx: Context) => Driver
  /** Called once sessions are open or nobody waits for one, before code that turns need is run. */
  beforeTurns?: () => void
  /** Gets what is for the log file; default: nothing is kept. */
  log?: HostLog
}

/** The registry, the tools and the sessions of one agent, for the client at the other end of `link`. */
export function openAgentHost(options: AgentHostOptions, { client, signal, profile }: ClientLink): AgentHost {
  const { stateDir, plugins = [], driver: makeDriver, log = () => {} } = options
  const host = createHost([modelContext(toContextOptions(options)), ...plugins], log, options)
  const { ctx, userPlugins } = host
  // A plugin that takes longer comes into a session that has begun.
  let pluginsAwaited: Promise<void> | undefined
  const ready = () => {
    pluginsAwaited ??= host.ready.then(() => Promise.race([userPlugins.load(), limit(PLUGIN_WAIT_MS)]))
    return pluginsAwaited
  }
  const store = new SessionStore(stateDir)

  const send = (sessionId: string, update: SessionUpdate) =>
    client.notify(methods.client.session.update, { sessionId, update })
  const models = toModelSource(options)
  let made: Driver | undefined
  // The plugins stand before the first session is asked for.
  const driver = () => {
    made ??= makeDriver?.(ctx) ?? withPluginDriver(ctx, toModelDriver(host, models, options))
    return made
  }
  const warmUp = new WarmUp({ ctx, ready, profile, driver, models, onBegin: options.beforeTurns, log })
  const sessions = new SessionTable({
    ctx,
    store,
    notices: () => [...(options.notices ?? []), ...toPluginNotices(userPlugins.reports)],
    driver,
    warmUp,
    ...(makeDriver ? {} : { selector: models }),
    client: () => ({ profile: profile(), send, log }),
    editor: id => (profile().files && (options.config?.clientFiles ?? true) ? new ClientFiles(client, id) : undefined),
  })
  const { emit } = ctx
  const user: Pick<QuestionerOptions, 'find' | 'request' | 'dialogs' | 'onWait' | 'log'> = {
    find: id => sessions.find(id),
    request: (params, until) => client.request(methods.client.session.requestPermission, params, untilAborted(until)),
    dialogs: new DialogQueue(),
    onWait: (call, answered) => emit('tools/wait', call, answered),
    log,
  }
  ctx.provide('approver', createApprover({ ...user, isClosed: () => signal.aborted }))
  ctx.provide(
    'questioner',
    createQuestioner({
      ...user,
      hasForms: () => profile().forms,
      elicit: (params, until) => client.request(methods.client.elicitation.create, params, untilAborted(until)),
    }),
  )
  const prune = setTimeout(() => {
    void removeOld(store, ctx).catch(error => log('warn', 'Old sessions could not be removed:', error))
  }, PRUNE_DELAY_MS).unref()

  return {
    sessions,
    ready,
    close: async () => {
      const warmed = warmUp.close()
      clearTimeout(prune)
      await sessions.closeAll()
      await warmed
      await host.close()
    },
  }
}

function toModelSource(options: AgentHostOptions): ModelSource & ModelSelector {
  const { env = {}, config = defaultConfig(), credentialsPath, model } = options
  const settings = createModelSettings({
    env,
    config,
    credentials: async () => (credentialsPath === undefined ? {} : readCredentials(credentialsPath)),
  })
  return createModelSource(settings, model)
}

function toModelDriver({ ctx, userPlugins }: Host, source: ModelSource, options: AgentHostOptions): Driver {
  return createModelDriver({
    ctx,
    source,
    sessionCommands: [...(ctx.get('checkpoints') ? [undoCommand] : []), reloadCommand(userPlugins, ctx)],
    ...toContextOptions(options),
  })
}

/** The user's own instructions and skills stand beside the config file. */
function toContextOptions({ configPath }: AgentHostOptions): { configDir?: string } {
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
