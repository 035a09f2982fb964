import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Keys, tokens, password stores and histories below a home directory. */
const IN_HOME = [
  ...[
    '.ssh',
    '.gnupg',
    '.password-store',
    '.local/share/keyrings',
    '.local/share/kwalletd',
    '.config/op',
    '.1password',
  ],
  ...['.aws', '.azure', '.kube', '.oci', '.config/gcloud', '.config/doctl', '.config/rclone', '.config/heroku', '.fly'],
  ...[
    '.config/gh',
    '.config/glab-cli',
    '.config/hub',
    '.config/github-copilot',
    '.config/git/credentials',
    '.git-credentials',
  ],
  ...[
    '.netrc',
    '.npmrc',
    '.pypirc',
    '.gem/credentials',
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.composer/auth.json',
  ],
  ...['.config/composer/auth.json', '.m2/settings-security.xml', '.docker/config.json', '.config/containers/auth.json'],
  ...[
    '.docker/run',
    '.docker/desktop',
    '.colima',
    '.terraform.d/credentials.tfrc.json',
    '.vault-token',
    '.pgpass',
    '.my.cnf',
  ],
  ...['.s3cfg', '.boto', '.databrickscfg', '.cache/huggingface/token', '.config/sops', '.config/age', '.Xauthority'],
  ...[
    '.bash_history',
    '.zsh_history',
    '.python_history',
    '.node_repl_history',
    '.psql_history',
    '.local/share/fish/fish_history',
  ],
  ...[
    '.mozilla',
    '.thunderbird',
    '.config/google-chrome',
    '.config/chromium',
    '.config/BraveSoftware',
    '.config/microsoft-edge',
  ],
  ...['.claude.json', '.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json'],
  ...[
    'Library/Keychains',
    'Library/Cookies',
    'Library/Application Support/Google/Chrome',
    'Library/Application Support/Firefox',
  ],
]

/** What root alone may read of a system. */
const IN_SYSTEM = [
  ...[
    '/etc/shadow',
    '/etc/shadow-',
    '/etc/gshadow',
    '/etc/gshadow-',
    '/etc/ssl/private',
    '/etc/krb5.keytab',
    '/etc/wireguard',
  ],
  ...[
    '/etc/NetworkManager/system-connections',
    '/var/spool/cron',
    '/var/lib/docker',
    '/var/lib/containers',
    '/var/lib/kubelet',
  ],
]

export interface SecretSources {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isRoot: boolean
}

/** Where secrets usually are; not all of the paths need exist. */
export async function listSecretPlaces({ home, env, isRoot }: SecretSources): Promise<string[]> {
  const homes = isRoot ? new Set([home, '/root', ...(await listFolder('/home'))]) : [home]
  const hostKeys = isRoot ? (await listFolder('/etc/ssh')).filter(path => path.endsWith('_key')) : []
  const inHomes = await Promise.all([...homes].map(listInHome))
  return [...inHomes.flat(), ...(isRoot ? IN_SYSTEM : []), ...hostKeys, ...agentSockets(env)]
}

/** One look at the home directory spares a look for each of the paths below it. */
async function listInHome(home: string): Promise<string[]> {
  const names = await readdir(home).catch(() => undefined)
  const isThere = (path: string) => names?.includes(path.split('/')[0] ?? '') ?? true
  return IN_HOME.filter(isThere).map(path => join(home, path))
}

/** Sockets behind which somebody uses keys, or starts processes, for whoever asks. */
function agentSockets(env: SecretSources['env']): string[] {
  const docker = env.DOCKER_HOST?.match(/^unix:\/\/(\/.*)$/)?.[1]
  const paths = [env.SSH_AUTH_SOCK, env.GPG_AGENT_INFO?.split(':')[0], docker]
  return paths.flatMap(path => (path?.startsWith('/') ? [path] : []))
}

async function listFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.map(name => join(folder, name))
}

/** Variables that lead to sockets and agents outside; commands in the sandbox do not get them. */
const AGENT_VARIABLES = [
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'DOCKER_HOST', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'TMUX', 'TMUX_PANE', 'STY', 'NVIM', 'NVIM_LISTEN_ADDRESS'],
  ...['VSCODE_IPC_HOOK', 'VSCODE_IPC_HOOK_CLI', 'VSCODE_GIT_IPC_HANDLE', 'KITTY_LISTEN_ON', 'WEZTERM_UNIX_SOCKET'],
]

/** Changes to the environment of a command in the sandbox. */
export const SANDBOX_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(AGENT_VARIABLES.map(variable => [variable, undefined])),
  DECKHAND_SANDBOX: '1',
}
