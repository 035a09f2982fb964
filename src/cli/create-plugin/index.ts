import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../environment.js'
import { print } from '../print.js'
import { createPlugin } from './create-plugin.js'

/** `deckhand create-plugin`. */
export async function runCreatePlugin({ cwd }: Environment, name: string, options: { dir?: string }): Promise<number> {
  const folder = await createPlugin(name, { cwd, ...options })
  print(`Wrote ${folder}. Next, in that folder:

  ${installCommand()}
  npm test
  deckhand call trim_lines '{"path":"README.md"}' --plugin .

Its README says how to have it in the editor.`)
  return 0
}

/** A checkout is its own source of the library; an installed package comes from a registry. */
function installCommand(): string {
  const here = fileURLToPath(import.meta.url)
  if (/[\\/]node_modules[\\/]/.test(here)) return 'npm install'
  return `npm install --no-save ${JSON.stringify(resolve(here, '../..'))}`
}
