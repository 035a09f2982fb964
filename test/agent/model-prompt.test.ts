import { describe, expect, it } from 'vitest'
import { toModelPrompt } from '../../src/agent/index.js'
import { type ContentBlock, text } from '../../src/cards/index.js'

const root = process.platform === 'win32' ? 'file:///C:/w' : 'file:///w'
const path = (name: string) => (process.platform === 'win32' ? `C:\\w\\${name}` : `/w/${name}`)
const link = (uri: string, name = 'name'): ContentBlock => ({ type: 'resource_link', uri, name })
const PNG: ContentBlock = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }

function toText(...blocks: ContentBlock[]): string {
  const prompt = toModelPrompt(blocks, { images: false })
  return prompt.map(block => (block.type === 'text' ? block.text : `<${block.type}>`)).join('|')
}

describe('a prompt for a model (B74)', () => {
  it('leaves plain text unchanged', () => {
    expect(toModelPrompt([text('/etc/hosts lacks\n a line ')], { images: false })).toEqual([
      text('/etc/hosts lacks\n a line '),
    ])
    expect(toModelPrompt([], { images: false })).toEqual([])
  })

  it('has a mention where it stands: path, symbol and lines', () => {
    expect(toText(text('see '), link(`${root}/hello%20world%23.txt#L10-20`), text(', please'))).toBe(
      `see ${path('hello world#.txt')} (lines 10-20), please`,
    )
    expect(toText(link(`${root}/a.ts?symbol=run#L3`))).toBe(`${path('a.ts')} (symbol run, line 3)`)
    expect(toText(link(`${root}/src/`))).toBe(`${path('src')} (directory)`)
  })

  it('keeps words apart that a client trimmed', () => {
    expect(toText(text('read'), link(`${root}/a`), link(`${root}/b`), text('now'))).toBe(
      `read ${path('a')} ${path('b')} now`,
    )
    expect(toText(text('(see'), text('this'))).toBe('(see\nthis')
  })

  it('has the text of an embedded file at its end, in a fence that holds', () => {
    const resource: ContentBlock = {
      type: 'resource',
      resource: { uri: `${root}/a.md#L1:3`, text: '```\ncode\n```\n' },
    }
    expect(toText(text('explain '), resource)).toBe(
      `explain ${path('a.md')} (lines 1-3)\n\n${path('a.md')} (lines 1-3):\n\`\`\`\`md\n\`\`\`\ncode\n\`\`\`\n\`\`\`\``,
    )
  })

  it('bounds the text of an embedded file and says how much is missing', () => {
    const resource: ContentBlock = {
      type: 'resource',
      resource: { uri: `${root}/a.txt`, text: 'line\n'.repeat(100_000) },
    }
    const result = toText(resource)
    expect(result.length).toBeLessThan(300_000)
    expect(result).toMatch(/\[\d+ bytes left out\]/)
  })

  it('shows what is no file by name and URI', () => {
    expect(toText(link('zed:///agent/thread/1', 'A thread'))).toBe('A thread (zed:///agent/thread/1)')
  })

  it('has images in their place if the model takes them', () => {
    const blob: ContentBlock = {
      type: 'resource',
      resource: { uri: `${root}/b.png`, mimeType: 'image/png', blob: 'aGVsbG8=' },
    }
    expect(toModelPrompt([text('a '), PNG, text(' b '), blob], { images: true })).toEqual([
      text('a '),
      PNG,
      text(` b ${path('b.png')}`),
      PNG,
    ])
  })

  it('notes what the model does not get', () => {
    expect(toText(text('see '), PNG)).toBe('see [image/png, 5 bytes, left out: the model does not take it]')
    expect(toText({ type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/wav' })).toContain('audio/wav, 5 bytes')
    const blob: ContentBlock = { type: 'resource', resource: { uri: `${root}/a.bin`, blob: 'aGVsbG8=' } }
    expect(toText(blob)).toBe(`${path('a.bin')} [binary data, 5 bytes, left out: the model does not take it]`)
  })

  it('keeps a newline in a file name from ending the line', () => {
    expect(toText(link(`${root}/a%0Ab`))).toBe(JSON.stringify(path('a\nb')))
  })
})
