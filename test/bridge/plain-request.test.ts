import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPlainRequest } from '../../src/bridge/connect/plain-request.js'

interface Schema {
  safeParse(value: unknown): { success: boolean; data?: unknown }
}

const sdk = dirname(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk'))
const schemas = (await import(pathToFileURL(resolve(sdk, '../schema/zod.gen.js')).href)) as Record<string, Schema>
const methods = {
  'session/new': schemas.zNewSessionRequest,
  'session/load': schemas.zLoadSessionRequest,
  'session/resume': schemas.zResumeSessionRequest,
  'session/list': schemas.zListSessionsRequest,
}

const place = { cwd: '/a', mcpServers: [], sessionId: 's' }
const stdio = { name: 'm', command: 'm', args: ['-x'], env: [{ name: 'A', value: '1' }] }
const web = { type: 'http', name: 'h', url: 'http://h', headers: [{ name: 'A', value: '1' }] }

it.each<[string, object]>([
  ['session/new', { cwd: '/a', mcpServers: [] }],
  ['session/new', { cwd: '/a', mcpServers: [stdio, web, { ...web, type: 'sse' }], additionalDirectories: ['/b'] }],
  ['session/load', place],
  ['session/resume', { ...place, _meta: { x: 1 } }],
  ['session/list', {}],
  ['session/list', { cwd: '/a', cursor: null }],
])('%s as editors ask it is told to be right without a schema: %j', (method, params) => {
  expect(isPlainRequest(method, params)).toBe(true)
})

it('other methods, and params that a schema would refuse or change, are left to the schemas', () => {
  expect(isPlainRequest('session/prompt', place)).toBe(false)
  expect(isPlainRequest('toString', place)).toBe(false)
  for (const params of [undefined, null, [], 'text', { mcpServers: [] }, { cwd: '/a', mcpServers: null }]) {
    expect(isPlainRequest('session/new', params)).toBe(false)
  }
  expect(isPlainRequest('session/new', { cwd: '/a', mcpServers: [], other: 1 })).toBe(false)
  expect(isPlainRequest('session/new', { cwd: '/a', mcpServers: [{ ...stdio, type: 'stdio' }] })).toBe(false)
  expect(isPlainRequest('session/load', { cwd: '/a', mcpServers: [] })).toBe(false)
})

it('params that are told to be right are those that the SDK reads as they are', () => {
  const names = ['cwd', 'sessionId', 'mcpServers', 'additionalDirectories', 'cursor', '_meta', '__proto__', 'type']
  const odd = fc.oneof(fc.constantFrom(null, 1, '', 'http', {}, [], ['/b'], [1]), fc.jsonValue({ maxDepth: 2 }))
  const changed = <T extends object>(base: T) =>
    fc
      .dictionary(fc.constantFrom(...names, ...Object.keys(base)), odd, { maxKeys: 2 })
      // As JSON makes it, where the name of a prototype is a field like others.
      .map(changes => JSON.parse(`{${[...fieldsOf(base), ...fieldsOf(changes)].join(',')}}`) as object)
  const servers = fc.array(fc.oneof(changed(stdio), changed(web), odd), { maxLength: 2 })
  const { sessionId, ...where } = place
  const params = fc
    .tuple(servers, fc.constantFrom({}, where, { ...where, sessionId }))
    .chain(([mcpServers, base]) => changed('cwd' in base ? { ...base, mcpServers } : base))
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(methods)), fc.oneof(params, odd), (method, given) => {
      if (!isPlainRequest(method, given)) return
      const reading = methods[method as keyof typeof methods]?.safeParse(given)
      expect(reading).toMatchObject({ success: true })
      expect(reading?.data).toEqual(given)
    }),
    { numRuns: 2000 },
  )
})

function fieldsOf(value: object): string[] {
  return Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${JSON.stringify(inner)}`)
}
