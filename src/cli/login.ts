import { chooseModel, type ModelSettings, proveKey, providerNames, resolveProvider } from '../bridge/index.js'
import { isHarnessError } from '../cards/index.js'
import { readCredentials, storeCredential } from '../config/index.js'
import { ask, readLine } from './ask.js'
import type { Environment } from './environment.js'
import { toModelSettings } from './model-settings.js'
import { print } from './print.js'

/**
 * `deckhand login`: asks for a provider and its key, proves the key by one small request and stores it. Without a terminal
 * the provider must be named and the key is the first line of stdin. 0 if the key is stored.
 */
export async function runLogin(environment: Environment, named: string | undefined): Promise<number> {
  const { credentialsPath } = environment
  const settings = toModelSettings(environment)
  const names = providerNames(settings)
  const provider = named ?? (await askProvider(names))
  if (provider === undefined) return giveUp('No provider was named.')
  const { keyPage, keyVariable } = resolveProvider(provider, settings, {})

  const key = (await askKey(provider, keyPage))?.trim()
  if (key === undefined || key === '')
    return giveUp(`No key was given. Run "deckhand login ${provider}" again with one.`)
  // What a header cannot carry is no key, but a page or a sentence that was pasted by mistake.
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) return giveUp('That is no key: a key is one word of plain letters and signs.')

  print(`Asking ${provider} whether it takes the key …`)
  try {
    await proveKey(provider, key, settings)
  } catch (error) {
    if (!isHarnessError(error)) throw error
    const text = error.code === 'MODEL_AUTH' ? `${provider} rejected the key.` : (error as Error).message
    return giveUp(`${text}\nThe key was not stored.`)
  }
  await storeCredential(credentialsPath, provider, key)
  print(`The key works. It is stored in ${credentialsPath}, readable by you only.`)
  if (keyVariable && environment.env[keyVariable])
    print(`Where ${keyVariable} is set, as it is here, it counts instead.`)
  print(await describeNext(settings))
  return 0
}

/** `deckhand logout`: removes a provider's stored key. */
export async function runLogout(environment: Environment, provider: string): Promise<number> {
  const { credentialsPath, env } = environment
  const stored = await readCredentials(credentialsPath)
  if (!Object.hasOwn(stored, provider)) {
    const others = Object.keys(stored)
    const hint = others.length > 0 ? ` Stored are: ${others.join(', ')}.` : ''
    print(`There is no key of ${provider} in ${credentialsPath}.${hint}`)
    return 0
  }
  await storeCredential(credentialsPath, provider, undefined)
  print(
    `The key of ${provider} is removed from ${credentialsPath}. To end its use everywhere, revoke it at the provider.`,
  )
  const settings = toModelSettings(environment)
  const variable = providerNames(settings).includes(provider)
    ? resolveProvider(provider, settings, {}).keyVariable
    : undefined
  if (variable && env[variable]) print(`${variable} is still set here and goes on to count.`)
  return 0
}

async function describeNext(settings: ModelSettings): Promise<string> {
  const chosen = await chooseModel(settings).catch(error => ({
    choice: undefined,
    advice: error instanceof Error ? error.message : String(error),
  }))
  if (chosen.choice === undefined) return chosen.advice
  return `The next prompt goes to ${chosen.choice.provider}/${chosen.choice.model}. Another model: DECKHAND_MODEL, "model" in the config, or the editor's selector.`
}

async function askProvider(names: readonly string[]): Promise<string | undefined> {
  const { stdin: input, stdout: output } = process
  if (!input.isTTY) {
    throw new Error(
      `name the provider: deckhand login PROVIDER, with the key on stdin. Providers: ${names.join(', ')}.`,
    )
  }
  const answer = await ask(`Provider (${names.join(', ')}): `, { input, output }, { echo: true })
  return answer?.trim() || undefined
}

async function askKey(provider: string, keyPage: string | undefined): Promise<string | undefined> {
  const { stdin: input, stdout: output } = process
  if (!input.isTTY) return readLine(input)
  if (keyPage) print(`Keys of ${provider} are made at ${keyPage}`)
  return ask(`Key of ${provider} (it is not shown): `, { input, output }, { echo: false })
}

function giveUp(text: string): number {
  process.stderr.write(`${text}\n`)
  return 1
}
