import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashBytes } from '../../src/workspace/index.js'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('the hash of a content', () => {
  it.each([0, 1, 256 * 1024, 256 * 1024 + 1, 2.5 * 1024 * 1024])('of %i bytes is its SHA-256', async length => {
    const bytes = Buffer.alloc(length, 'abc')
    expect(await hashBytes(bytes)).toBe(sha256(bytes))
    expect(await hashBytes(Buffer.from(bytes))).toBe(sha256(bytes))
  })

  it('is that of its own bytes, whatever became of others that were hashed before', async () => {
    const first = Buffer.from('one')
    await hashBytes(first)
    first.write('two')
    expect(await hashBytes(Buffer.from('two'))).toBe(sha256(Buffer.from('two')))
  })
})
