import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { WireFrame } from '../../src/bridge/check/check-frame.js'

interface Definition {
  'x-method'?: string
}

const require = createRequire(import.meta.url)
const schema = JSON.parse(readFileSync(require.resolve('@agentclientprotocol/sdk/schema/v1/schema.json'), 'utf8')) as {
  $defs: Record<string, Definition>
}
const ajv = new Ajv2020({ strict: false, discriminator: true, validateFormats: false })
ajv.addSchema(schema, 'acp')

const names = new Map<string, string>()
for (const [name, definition] of Object.entries(schema.$defs)) {
  const suffix = /(Request|Response|Notification)$/.exec(name)?.[0]
  if (definition['x-method'] && suffix) names.set(`${definition['x-method']} ${suffix}`, name)
}

const validators = new Map<string, ValidateFunction>()

/** What the protocol's JSON schema says against each frame of a connection; responses are matched to their requests. */
export class FrameSchema {
  readonly #methods = new Map<string, string>()

  errors({ dir, msg }: WireFrame): string[] {
    const { id, method, params, result } = msg as { id?: unknown; method?: string; params?: unknown; result?: unknown }
    if (method !== undefined) {
      if (id !== undefined) this.#methods.set(`${dir} ${JSON.stringify(id)}`, method)
      return validate(`${method} ${id === undefined ? 'Notification' : 'Request'}`, params)
    }
    const asked = this.#methods.get(`${dir === 'in' ? 'out' : 'in'} ${JSON.stringify(id)}`)
    return asked === undefined || result === undefined ? [] : validate(`${asked} Response`, result)
  }
}

/** Fails unless every frame is what the protocol's JSON schema allows. */
export function expectValidFrames(frames: readonly WireFrame[]): void {
  const check = new FrameSchema()
  expect(frames.flatMap(frame => check.errors(frame).map(error => ({ error, frame })))).toEqual([])
}

/** As {@link expectValidFrames}, for the updates of one session. */
export function expectValidUpdates(updates: readonly SessionUpdate[]): void {
  expectValidFrames(updates.map(update => toUpdateFrame(update)))
}

/** An update as the frame that carries it. */
export function toUpdateFrame(update: SessionUpdate, sessionId = 's1'): WireFrame {
  return { dir: 'out', msg: { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } } }
}

function validate(key: string, value: unknown): string[] {
  const name = names.get(key)
  if (name === undefined) return key.startsWith('_') ? [] : [`no schema for ${key}`]
  const validator = validators.get(name) ?? ajv.compile({ $ref: `acp#/$defs/${name}` })
  validators.set(name, validator)
  // As it goes out: what is undefined is not sent.
  if (validator(JSON.parse(JSON.stringify(value ?? {})))) return []
  return (validator.errors ?? []).map(error => `${name}${error.instancePath} ${error.message}`)
}
