import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Started } from '../client.js'

/** Another agent: what to install from the npm registry, and how it is started against the scripted model. */
export interface Peer {
  name: string
  /** With exact versions: figures of others would mean nothing. */
  packages: readonly string[]
  start(place: PeerPlace): Started
}

interface PeerPlace {
  /** Where its packages are installed. */
  folder: string
  /** A home of its own. */
  home: string
  /** Node 24, which most of them need. */
  node: string
  /** Without `/v1`. */
  modelUrl: string
}

const KEY = 'scripted'
const MODEL = 'scripted'

/** Those that speak chat completions; they need no account, and nothing outside of this machine once they are installed. */
export const PEERS: readonly Peer[] = [
  {
    name: 'opencode',
    packages: ['opencode-ai@1.18.33'],
    start: ({ folder, home, modelUrl }) => ({
      command: join(folder, 'node_modules', '.bin', 'opencode'),
      args: ['acp'],
      env: {
        ...baseOf(home),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          autoupdate: false,
          share: 'disabled',
          model: `local/${MODEL}`,
          small_model: `local/${MODEL}`,
          provider: {
            local: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Local',
              options: { baseURL: `${modelUrl}/v1`, apiKey: KEY },
              models: { [MODEL]: { name: 'Scripted', limit: { context: 1_000_000, output: 65_536 } } },
            },
          },
        }),
      },
    }),
  },
  {
    name: 'qwen-code',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    start: ({ folder, home, node, modelUrl }) => {
      writeJson(join(home, '.qwen', 'settings.json'), {
        security: { auth: { selectedType: 'openai' } },
        general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        model: { name: MODEL },
      })
      return {
        command: node,
        args: [join(folder, 'node_modules', '@qwen-code', 'qwen-code', 'cli-entry.js'), '--acp'],
        // Its own default mode asks a model about each command.
        mode: 'default',
        env: {
          ...baseOf(home, dirname(node)),
          OPENAI_BASE_URL: `${modelUrl}/v1`,
          OPENAI_API_KEY: KEY,
          OPENAI_MODEL: MODEL,
        },
      }
    },
  },
  {
    name: 'pi-acp',
    packages: ['pi-acp@0.0.34', '@earendil-works/pi-coding-agent@1.6.0'],
    start: ({ folder, home, node, modelUrl }) => {
      writeJson(join(home, '.pi', 'agent', 'models.json'), {
        providers: {
          local: {
            baseUrl: `${modelUrl}/v1`,
            api: 'openai-completions',
            apiKey: KEY,
            compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
            models: [{ id: MODEL, contextWindow: 1_000_000 }],
          },
        },
      })
      writeJson(join(home, '.pi', 'agent', 'settings.json'), {
        defaultProvider: 'local',
        defaultModel: MODEL,
        quietStartup: true,
      })
      return {
        command: node,
        args: [join(folder, 'node_modules', 'pi-acp', 'dist', 'index.js')],
        env: {
          ...baseOf(home, join(folder, 'node_modules', '.bin'), dirname(node)),
          PI_SKIP_VERSION_CHECK: '1',
          PI_TELEMETRY: '0',
          PI_OFFLINE: '1',
        },
      }
    },
  },
]

function baseOf(home: string, ...paths: string[]): Record<string, string> {
  return { PATH: [...paths, process.env.PATH].join(delimiter), HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' }
}

function writeJson(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
}
