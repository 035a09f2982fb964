import { createInterface } from 'node:readline'

/** An MCP server with as many tools as its argument says, on stdio. */

const count = Number(process.argv[2])
const PAGE = 500

function answer(method: string, params: { protocolVersion?: string; cursor?: string }): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'many', version: '1' },
      }
    case 'tools/list': {
      const from = Number(params.cursor ?? 0)
      const to = Math.min(count, from + PAGE)
      const tools = Array.from({ length: to - from }, (_, n) => ({
        name: `lookup_${from + n}`,
        description: `Looks up a record of table ${from + n} by its key.`,
        inputSchema: {
          type: 'object',
          properties: { key: { type: 'string' }, limit: { type: 'integer' } },
          required: ['key'],
        },
      }))
      return { tools, ...(to < count ? { nextCursor: String(to) } : {}) }
    }
    default:
      return undefined
  }
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answer(method, params ?? {})
  const rest = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`)
})
