import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coalesce } from '../../../src/agent/model/coalesce.js'
import type { ModelPart } from '../../../src/agent/model/provider/index.js'
import { asks, finish, says, thinks } from './support.js'

async function* streamOf(parts: readonly (ModelPart | 'task' | Error)[]): AsyncGenerator<ModelPart> {
  for (const part of parts) {
    if (part === 'task') await new Promise(setImmediate)
    else if (part instanceof Error) throw part
    else yield part
  }
}

async function collect(parts: readonly (ModelPart | 'task' | Error)[]): Promise<ModelPart[]> {
  const out: ModelPart[] = []
  for await (const part of coalesce(streamOf(parts))) out.push(part)
  return out
}

/** Neighbours of one block joined. */
function joined(parts: readonly ModelPart[]): ModelPart[] {
  const out: ModelPart[] = []
  for (const part of parts) {
    const last = out.at(-1)
    if (last && 'text' in last && 'id' in last && 'id' in part && 'text' in part && last.type === part.type) {
      if (last.id === part.id) {
        out[out.length - 1] = { ...last, text: last.text + part.text } as ModelPart
        continue
      }
    }
    out.push(part)
  }
  return out
}

describe('parts of a stream', () => {
  it('come in their order with nothing lost, however they come', async () => {
    const part = fc.constantFrom<ModelPart | 'task'>(
      says('a'),
      says('b', 'b9'),
      thinks('c'),
      { type: 'thought-end', id: 'b1', meta: { x: 1 } },
      ...asks('m1', 'look', '{"a"', ':1}'),
      { type: 'notice', text: 'n' },
      'task',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 25 }), async parts => {
        const given = parts.filter(entry => entry !== 'task')
        expect(joined(await collect(parts))).toEqual(joined(given))
      }),
      { numRuns: 40 },
    )
  })

  it('are far fewer than the deltas of a fast stream, and the first is not held back', async () => {
    const deltas = Array.from({ length: 500 }, (_, index) => says(`${index} `))
    const out = await collect(['task', deltas[0]!, 'task', ...deltas.slice(1), finish()])
    expect(out[0]).toEqual(says('0 '))
    expect(out.length).toBeLessThan(12)
    expect(out.map(part => ('text' in part ? part.text : '')).join('')).toBe(
      deltas.map(part => ('text' in part ? part.text : '')).join(''),
    )
  })

  it('that came before a failure are handed on before it', async () => {
    const seen: ModelPart[] = []
    const failing = async () => {
      for await (const part of coalesce(streamOf([says('a'), 'task', says('b'), new Error('cut')]))) seen.push(part)
    }
    await expect(failing()).rejects.toThrow('cut')
    expect(joined(seen)).toEqual([says('ab')])
  })

  it('are read no further than a slow reader needs, and the stream ends with the reader', async () => {
    let read = 0
    let isClosed = false
    async function* endless(): AsyncGenerator<ModelPart> {
      try {
        for (;;) {
          read++
          yield says('x'.repeat(1000), `b${read}`)
        }
      } finally {
        isClosed = true
      }
    }
    for await (const _ of coalesce(endless())) {
      for (let task = 0; task < 20; task++) await new Promise(setImmediate)
      expect(read).toBeLessThan(100)
      break
    }
    for (let task = 0; task < 5; task++) await new Promise(setImmediate)
    expect(isClosed).toBe(true)
  })
})
