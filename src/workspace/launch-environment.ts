/** Credentials of the agent itself: no command has a use for them (B64). */
const PROVIDER_KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'DEEPSEEK_API_KEY']

/**
 * The inherited environment with `changes` over it (undefined removes), and without the provider keys and those of
 * `keyVariables`, whoever set them; `own` comes last and may name them. Names are compared without case on Windows.
 */
export function toChildEnvironment(
  inherited: NodeJS.ProcessEnv,
  changes: Record<string, string | undefined>,
  keyVariables: readonly string[],
  own: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const env = { ...inherited }
  for (const [name, value] of Object.entries(changes)) {
    deleteVariable(env, name)
    if (value !== undefined) env[name] = value
  }
  for (const name of [...PROVIDER_KEYS, ...keyVariables]) deleteVariable(env, name)
  for (const [name, value] of Object.entries(own)) {
    deleteVariable(env, name)
    env[name] = value
  }
  return env
}

function deleteVariable(env: NodeJS.ProcessEnv, name: string): void {
  delete env[name]
  if (process.platform !== 'win32') return
  for (const other of Object.keys(env)) {
    if (other.toUpperCase() === name.toUpperCase()) delete env[other]
  }
}
