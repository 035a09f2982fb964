import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteLength, type ContentBlock, isContentBlock } from '../../../src/cards/index.js'
import { toToolOutput } from '../../../src/mcp/cards/to-tool-output.js'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)
const png = PNG.toString('base64')

const contentOf = (...content: unknown[]) => toToolOutput({ content }).content
const textsOf = (blocks: readonly ContentBlock[]) =>
  blocks.map(block => (block.type === 'text' ? block.text : block.type))

describe('the result of a tool of a server', () => {
  it('keeps every kind of content', () => {
    const content: unknown[] = [
      { type: 'text', text: 'hi', annotations: { audience: ['user'] } },
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: '# a', _meta: {} } },
      { type: 'resource', resource: { uri: 'x://b', mimeType: 'application/zip', blob: 'AAAA' } },
      { type: 'resource_link', uri: 'https://example.org/', name: 'example', title: 'An example', size: 3, icons: [] },
    ]
    expect(contentOf(...content)).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: '# a' } },
      { type: 'resource', resource: { uri: 'x://b', mimeType: 'application/zip', blob: 'AAAA' } },
      { type: 'resource_link', uri: 'https://example.org/', name: 'example', title: 'An example', size: 3 },
    ])
  })

  it.each<[string, unknown, RegExp]>([
    ['a kind of tomorrow', { type: 'hologram', data: 'AA' }, /unknown type "hologram": \{"type":"hologram"/],
    ['no block', 'plain', /a block that is none: "plain"/],
    ['a text without text', { type: 'text' }, /a text without text/],
    ['a link without address', { type: 'resource_link', name: 'x' }, /a link that leads nowhere/],
    ['a link that is a program', { type: 'resource_link', name: 'x', uri: ' JavaScript:alert(1)' }, /runs code/],
    ['a link that is a page', { type: 'resource_link', name: 'x', uri: 'data:text/html,x' }, /runs code/],
    [
      'an image that is no base64',
      { type: 'image', data: '###', mimeType: 'image/png' },
      /image\/png was left out: .*base64/,
    ],
    [
      'an image that is none',
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      /3 bytes, no picture of this kind/,
    ],
    ['an image of 9 MB', { type: 'image', data: 'A'.repeat(9_000_000), mimeType: 'image/png' }, /6\.4 MiB, too large/],
    ['a resource of nothing', { type: 'resource', resource: { uri: 'a://b' } }, /a:\/\/b was left out/],
  ])('says in words what it cannot keep: %s', (_what, block, expected) => {
    expect(textsOf(contentOf(block))).toEqual([expect.stringMatching(expected)])
  })

  it('tells the model of a picture what it is, not what the server calls it', () => {
    expect(contentOf({ type: 'image', data: png, mimeType: 'image/jpeg' })).toMatchObject([{ mimeType: 'image/png' }])
  })

  it('adds structured content only if no text says the same', () => {
    const structuredContent = { b: [1, { c: null }], a: 'x' }
    const as = (text: string) => textsOf(toToolOutput({ content: [{ type: 'text', text }], structuredContent }).content)
    expect(as('{"a":"x","b":[1,{"c":null}]}')).toHaveLength(1)
    expect(as('It worked.')).toEqual(['It worked.', JSON.stringify(structuredContent, undefined, 1)])
    expect(textsOf(toToolOutput({ structuredContent }).content)).toHaveLength(1)
    expect(
      textsOf(toToolOutput({ content: [{ type: 'text', text: '7' }], structuredContent: { result: 7 } }).content),
    ).toEqual(['7'])
    expect(textsOf(toToolOutput({ toolResult: { old: true } }).content)).toEqual(['{\n "old": true\n}'])
  })

  it('of 5 MB gives the head and the tail, within what a model can use', () => {
    const { content } = toToolOutput({ content: [{ type: 'text', text: `begin ${'x'.repeat(5_000_000)} end` }] })
    const [text = ''] = textsOf(content)
    expect(text).toMatch(/^begin x+\n\[\d+ bytes left out\]\nx+ end$/)
    expect(byteLength(text)).toBeLessThanOrEqual(64 * 1024)
  })

  it('of many texts leaves the short ones whole and says how many blocks are left out', () => {
    const blocks = [
      { type: 'text', text: 'short' },
      ...Array.from({ length: 3000 }, () => ({ type: 'text', text: 'y'.repeat(1000) })),
    ]
    const texts = textsOf(contentOf(...blocks))
    expect(texts[0]).toBe('short')
    expect(texts).toHaveLength(200)
    expect(texts.at(-1)).toMatch(/more blocks left out/)
    expect(texts.reduce((sum, text) => sum + byteLength(text), 0)).toBeLessThan(70_000)
  })

  it('of anything is content of ours and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.anything()), fc.jsonValue(), (whole, content, structuredContent) => {
        for (const result of [whole, { content, structuredContent, isError: true }]) {
          expect(toToolOutput(result).content.every(isContentBlock)).toBe(true)
        }
      }),
    )
  })
})
