import { describe, expect, it } from 'vitest'
import { text } from '../../src/cards/index.js'
import { ToolArgsError, type ToolDefinition } from '../../src/registry/index.js'
import { problemOf, tool } from './broken-tools.js'

const raw = (parts: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: 'raw',
  description: '',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      mode: { type: 'string', enum: ['fast', 'slow'] },
      steps: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
    },
    required: ['path'],
  },
  execute: async () => [text('done')],
  ...parts,
})
const args = { path: 'a.txt', mode: 'fast', steps: [{ n: 1 }] }

describe('the check of the samples', () => {
  const check = 'takes the arguments of its samples'

  it('names a sample that does not fit the schema', async () => {
    expect(await problemOf(tool(), check, { args: { path: 5 } })).toMatch(/one: .*path: expected string, got number 5/)
  })

  it('names a sample that the schema allows and the tool refuses', async () => {
    const strict = {
      ...tool(),
      validate() {
        throw new ToolArgsError('sound', ['path: too short'])
      },
    }
    expect(await problemOf(strict, check)).toMatch(/fit the schema, but the tool refuses them.*\n.*too short/)
    expect(await problemOf(strict, check, { expect: { code: 'INVALID_ARGS' } })).toBeUndefined()
  })
})

describe('the check of other arguments', () => {
  const check = 'refuses arguments that its schema forbids'

  it('names each way in which a tool without a check takes what does not fit', async () => {
    const problem = await problemOf(raw(), check, { args })
    expect(problem).toMatch(/without path the arguments do not fit the schema, but the tool takes them/)
    expect(problem).toMatch(/with path: 5 /)
    expect(problem).toMatch(/with mode: "none of these" /)
    expect(problem).toMatch(/with steps\[0\]: "none" /)
    expect(problem).toMatch(/without steps\[0\]\.n /)
    expect(problem).toMatch(/with steps\[0\]\.n: "five" /)
    expect(problem).toMatch(/Make it with defineTool/)
  })

  it('passes a tool that checks in its body, and names one that fails by accident', async () => {
    const checking = (fail: () => never) =>
      raw({
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        execute: async given => (typeof given.path === 'string' ? [text(given.path)] : fail()),
      })
    const refusing = checking(() => {
      throw new ToolArgsError('raw', ['path: expected string'])
    })
    const breaking = checking(() => {
      throw new TypeError('path.trim is no function')
    })
    expect(await problemOf(refusing, check)).toBeUndefined()
    expect(await problemOf(breaking, check)).toMatch(/fails with TOOL_FAILED \(path.trim is no function\)/)
  })

  it('names a check that takes what the schema forbids, and one that breaks on it', async () => {
    expect(await problemOf(raw({ validate: () => {} }), check, { args })).toMatch(
      /Its validate must throw ToolArgsError/,
    )
    const breaking = raw({
      validate(given) {
        if ((given.path as string).trim() === '' || given.mode === undefined) throw new ToolArgsError('raw', ['blank'])
      },
    })
    expect(await problemOf(breaking, check, { args })).toMatch(/with path: 5 .*fails with INVALID_ARGS \(.*trim/)
  })

  it('names a check that refuses keys it does not know, or breaks without an optional one', async () => {
    const closed = {
      ...tool(),
      validate(given: Record<string, unknown>) {
        tool().validate?.(given)
        if (Object.keys(given).some(key => key !== 'path')) throw new ToolArgsError('sound', ['too many keys'])
      },
    }
    expect(await problemOf(closed, check)).toMatch(/with a key it does not know the arguments fit .*\n.*too many keys/)
    const leaning = {
      ...tool(),
      validate(given: Record<string, unknown>) {
        tool().validate?.(given)
        if ((given.count as number).toFixed() === '') throw new ToolArgsError('sound', [])
      },
    }
    const withCount = { args: { path: 'a.txt', count: 1 } }
    expect(await problemOf(leaning, check, withCount)).toMatch(/without count, which is optional .*toFixed/)
  })

  it('lets a tool ask for more than its schema can say', async () => {
    const pair = {
      ...tool(),
      validate(given: Record<string, unknown>) {
        tool().validate?.(given)
        if (given.count === undefined) throw new ToolArgsError('sound', ['count: needed for this path'])
      },
    }
    expect(await problemOf(pair, check, { args: { path: 'a.txt', count: 1 } })).toBeUndefined()
  })
})
