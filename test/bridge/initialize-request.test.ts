import { agent, client, type InitializeRequest, methods, type RequestError } from '@agentclientprotocol/sdk'
import { expect, it } from 'vitest'
import { toAuthMethods } from '../../src/bridge/connect/auth-methods.js'
import { toInitializeRequest } from '../../src/bridge/connect/initialize.js'
import { toClientProfile } from '../../src/bridge/render/profile.js'

const login = { command: 'node', args: [] }

/** All that is taken from the params. */
function taken({ protocolVersion, clientCapabilities }: InitializeRequest): object {
  const methodIds = toAuthMethods(clientCapabilities, login)
  return { protocolVersion, profile: toClientProfile(clientCapabilities), methodIds }
}

/** The same through the SDK's own reading of them. */
async function takenBySdk(params: unknown): Promise<object> {
  let seen: object = {}
  const app = agent({ name: 'test' }).onRequest(methods.agent.initialize, given => {
    seen = taken(given.params)
    return { protocolVersion: 1 }
  })
  const connection = client({ name: 'test' }).connect(app)
  try {
    await connection.agent.request(methods.agent.initialize, params as InitializeRequest)
    return seen
  } catch (error) {
    return { code: (error as RequestError).code }
  } finally {
    connection.close()
  }
}

function takenByUs(params: unknown): object {
  try {
    return taken(toInitializeRequest(params))
  } catch (error) {
    return { code: (error as RequestError).code }
  }
}

const odd = [undefined, null, 0, 1, '', 'true', true, false, [], [1], {}]

it('reads the capabilities that count as the SDK would, and what is no capability as absent', async () => {
  const full = {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    auth: { terminal: true },
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    elicitation: { form: {} },
    _meta: { terminal_output: true, 'terminal-auth': true },
  }
  const cases: object[] = [full, { ...full, auth: {} }, { _meta: { terminal_output_delta: true }, more: { x: 1 } }]
  for (const key of Object.keys(full)) for (const value of odd) cases.push({ ...full, [key]: value })
  for (const value of odd) {
    cases.push({ ...full, fs: { readTextFile: value, writeTextFile: true } })
    cases.push({ ...full, session: { ...full.session, notices: value } })
    cases.push({ ...full, session: { configOptions: { boolean: value } } })
    cases.push({ ...full, elicitation: { form: value } })
  }
  const params = [...cases, ...odd].map(clientCapabilities => ({ protocolVersion: 1, clientCapabilities }))
  const differing = []
  for (const one of params) {
    const [ours, sdks] = [takenByUs(one), await takenBySdk(one)]
    if (JSON.stringify(ours) !== JSON.stringify(sdks)) differing.push({ one, ours, sdks })
  }
  expect(differing).toEqual([])
})

it('requires a version as the SDK does', async () => {
  const versions = [...odd, 2, -1, 1.5, 65_535, 65_536, Number.NaN, 1e300, '1']
  const params = [...versions.map(protocolVersion => ({ protocolVersion })), ...odd]
  const differing = []
  for (const one of params) {
    const [ours, sdks] = [takenByUs(one), await takenBySdk(one)]
    if (JSON.stringify(ours) !== JSON.stringify(sdks)) differing.push({ one, ours, sdks })
  }
  expect(differing).toEqual([])
})
