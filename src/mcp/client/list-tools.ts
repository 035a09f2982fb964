import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client'
import { anyResult } from './any-result.js'

const PAGE_LIMIT_MS = 30_000
const MAX_PAGES = 100
const MAX_TOOLS = 5000

/** All that the server lists, as it came: the tools are looked at one by one later. Rejects if a page does not come. */
export async function listTools(client: Client, signal: AbortSignal): Promise<unknown[]> {
  if (!client.getServerCapabilities()?.tools) return []
  let tools: unknown[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && tools.length <= MAX_TOOLS; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const result: StandardSchemaV1.InferOutput<typeof anyResult> = await client.request(
      { method: 'tools/list', params },
      anyResult,
      { signal, timeout: PAGE_LIMIT_MS },
    )
    if (Array.isArray(result.tools)) tools = tools.concat(result.tools)
    const { nextCursor } = result
    if (typeof nextCursor !== 'string' || nextCursor === '' || cursors.has(nextCursor)) break
    cursors.add(nextCursor)
    cursor = nextCursor
  }
  return tools
}
