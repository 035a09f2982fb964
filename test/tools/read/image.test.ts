import { describe, expect, it } from 'vitest'
import * as read from '../../../src/tools/read/index.js'
import { openWorkbench } from '../../support/workbench.js'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('read of an image', () => {
  it('answers an image block, by content and not by name', async () => {
    const bench = await openWorkbench(read)
    await bench.put('pixel.dat', png)
    const done = await bench.call('read', { path: 'pixel.dat' })
    expect(done.content).toEqual([
      { type: 'text', text: `pixel.dat: image/png, ${png.length} bytes` },
      { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
    ])
    expect(done.resultCard).toBeUndefined()
  })

  it.each([
    ['image/gif', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')],
    ['image/webp', Buffer.from('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0', 'latin1')],
    ['image/jpeg', Buffer.concat([Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1'), Buffer.alloc(20)])],
  ])('knows %s', async (mimeType, bytes) => {
    const bench = await openWorkbench(read)
    await bench.put('f', bytes)
    expect((await bench.call('read', { path: 'f' })).content[1]).toMatchObject({ type: 'image', mimeType })
  })

  it('tells type and size of an image that is too large for a message', async () => {
    const bench = await openWorkbench(read)
    await bench.put('big.png', Buffer.concat([png, Buffer.alloc(800_000)]))
    const done = await bench.call('read', { path: 'big.png' })
    expect(done).toMatchObject({ isError: false, content: [{ type: 'text' }] })
    expect(done.text).toMatch(/^big.png: image\/png, 781.3 KiB. Too large to be shown/)
  })
})
