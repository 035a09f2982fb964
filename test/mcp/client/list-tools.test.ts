import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { listTools } from '../../../src/mcp/client/list-tools.js'

test('a page of more tools than are taken is read whole: how many there are is told', async () => {
  const tools = Array.from({ length: 200_000 }, (_, n) => ({ name: `tool-${n}` }))
  const client: Pick<Client, 'getServerCapabilities'> & { request(): Promise<unknown> } = {
    getServerCapabilities: () => ({ tools: {} }),
    request: async () => ({ tools }),
  }
  const listed = await listTools(client as unknown as Client, new AbortController().signal)
  expect(listed).toHaveLength(tools.length)
})
