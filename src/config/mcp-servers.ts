import { z } from 'zod'

const text = z.string().min(1)
const texts = z.record(text, z.string()).default({})

const server = z
  .strictObject({
    command: text.optional(),
    args: z.array(z.string()).default([]),
    env: texts,
    cwd: text.optional(),
    url: z.url({ protocol: /^https?$/, error: 'expected an http or https address' }).optional(),
    type: z.enum(['stdio', 'http', 'streamable-http', 'sse']).optional(),
    headers: texts,
    trusted: z.boolean().default(false),
    disabled: z.boolean().default(false),
    timeoutMs: z.int().min(1).max(86_400_000).optional(),
  })
  .superRefine(({ command, url, type }, ctx) => {
    const fail = (message: string) => ctx.addIssue({ code: 'custom', message })
    if ((command === undefined) === (url === undefined)) fail('expected either a command or a url')
    else if (type !== undefined && (type === 'stdio') !== (command !== undefined)) {
      fail(
        command === undefined
          ? 'expected type http or sse with a url'
          : 'expected no type other than stdio with a command',
      )
    }
  })

/** MCP servers by name, in the shape that other agents use; each session gets its own. */
export const mcpServers = z.record(text, server).default({})
