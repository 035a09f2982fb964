import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const SCHEMAS = resolve(
  dirname(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk')),
  '../schema/zod.gen.js',
)
const PLAIN_REQUEST = resolve(import.meta.dirname, 'src/bridge/connect/plain-request.ts')
/** The schemas of requests that can be told to be right without them. */
const PLAIN = {
  zNewSessionRequest: 'session/new',
  zLoadSessionRequest: 'session/load',
  zResumeSessionRequest: 'session/resume',
  zListSessionsRequest: 'session/list',
}
const DECLARATION = /^export const (\w+) = /gm
const STATEMENT = /^export const (z[A-Z]\w*) = ([\s\S]*?);$(?=\s*(?:^\/\*\*|^export const |^\/\/#|(?![\s\S])))/gm

/**
 * The SDK imports zod and builds the schemas of all messages, which takes far longer than the rest of a first answer. In the
 * bin it gets checks in their place, of which it only ever calls `parse`. They work once `loadMessageSchemas` has loaded the
 * schemas, and each of those is built when a message first needs it; plain requests need none.
 */
export function lateMessageSchemas(): Plugin {
  return {
    name: 'late-message-schemas',
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /[\\/]message-schemas\.ts$/ }, () => ({
        contents: `export { loadMessageSchemas } from ${JSON.stringify(SCHEMAS)}`,
        resolveDir: dirname(SCHEMAS),
      }))
      onLoad({ filter: /[\\/]v1[\\/]schema[\\/]zod\.gen\.js$/, namespace: 'file' }, async ({ path }) => ({
        contents: toLateChecks(await readFile(path, 'utf8')),
        resolveDir: dirname(path),
      }))
      onResolve({ filter: /^message-schemas$/ }, () => ({ path: SCHEMAS, namespace: 'message-schemas' }))
      onLoad({ filter: /./, namespace: 'message-schemas' }, async ({ path }) => ({
        contents: toLazySchemas(await readFile(path, 'utf8')),
        resolveDir: dirname(path),
      }))
      // Builds schemas for type guards that nothing here uses.
      onResolve({ filter: /[\\/]guards\.gen\.js$/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path),
        sideEffects: false,
      }))
    },
  }
}

/** A check for each schema in `source`, and the function that loads what they all need. */
function toLateChecks(source: string): string {
  const checks = Array.from(
    source.matchAll(DECLARATION),
    ([, name]) => `export const ${name} = /* @__PURE__ */ check('${name}')`,
  )
  return `import { isPlainRequest } from ${JSON.stringify(PLAIN_REQUEST)}
const plain = ${JSON.stringify(PLAIN)}
let loading, schemas
export const loadMessageSchemas = () => loading ??= import('message-schemas').then(loaded => { schemas = loaded })
const check = name => ({
  parse(value) {
    if (schemas) return schemas[name].parse(value)
    if (isPlainRequest(plain[name], value)) return value
    throw new Error('The message cannot be checked.')
  },
})
${checks.join('\n')}`
}

/** The schemas in `source`, each as an object whose `parse` builds it at the first call. Throws if one is not recognised. */
export function toLazySchemas(source: string): string {
  const names = new Set(Array.from(source.matchAll(DECLARATION), ([, name]) => name))
  let found = 0
  const lazy = source.replace(STATEMENT, (_, name: string, expression: string) => {
    found++
    const built = expression.replace(/\bz[A-Z]\w*\b/g, used => (names.has(used) ? `${used}$()` : used))
    return `let ${name}$schema
const ${name}$ = () => (${name}$schema ??= ${built})
export const ${name} = { parse: value => ${name}$().parse(value) }`
  })
  if (found === 0 || found !== names.size) {
    throw new Error(`The SDK's schemas are written in another way: ${found} of ${names.size} were recognised.`)
  }
  return lazy
}

/**
 * `import { z } from 'zod'` takes all of zod with its texts in fifty languages. Written as `import * as z`, which means the
 * same, what a package does not use is left out.
 */
export function usedZodOnly(): Plugin {
  return {
    name: 'used-zod-only',
    setup({ onLoad }) {
      onLoad(
        { filter: /[\\/](@ai-sdk|@modelcontextprotocol|src[\\/]config)[\\/].*\.(m?js|ts)$/ },
        async ({ path }) => ({
          contents: toNamespaceImports(await readFile(path, 'utf8')),
          resolveDir: dirname(path),
          loader: path.endsWith('.ts') ? 'ts' : 'js',
        }),
      )
    },
  }
}

/** Imports of zod's `z` as imports of its namespace. */
export function toNamespaceImports(source: string): string {
  return source.replace(
    /\bimport \{ z(?: as (\w+))? \} from (["']zod(?:\/v4)?["'])/g,
    (_, name = 'z', from) => `import * as ${name} from ${from}`,
  )
}
