import { describe, expect, it } from 'vitest'
import { parsePrompt } from '../../../src/agent/index.js'
import { type ContentBlock, text } from '../../../src/cards/index.js'
import { grammar } from './console-tools.js'

const link = (uri: string): ContentBlock => ({ type: 'resource_link', uri, name: 'a mention' })
const embedded = (uri: string): ContentBlock => ({ type: 'resource', resource: { uri, text: '!touch x' } })
const parse = (...blocks: (ContentBlock | string)[]) =>
  parsePrompt(
    blocks.map(block => (typeof block === 'string' ? text(block) : block)),
    grammar,
  )
const shell = (command: string) => ({ type: 'calls', calls: [{ name: 'shell', arguments: { command } }] })
const read = (args: object) => ({ type: 'calls', calls: [{ name: 'read', arguments: args }] })
// A file URI without a drive letter is no path on Windows, so the expectations go through what this platform makes of it.
const root = process.platform === 'win32' ? 'file:///C:/w' : 'file:///w'
const path = (name: string) => (process.platform === 'win32' ? `C:\\w\\${name}` : `/w/${name}`)
const A = link(`${root}/a.ts#L10-20`)

describe('a mention in a command (B74)', () => {
  it('stands for its path, decoded and without the line range', () => {
    expect(parse('/read ', A)).toEqual(read({ path: path('a.ts') }))
    expect(parse('/read ', embedded(`${root}/hello%20world%23.txt?symbol=x#L1`))).toEqual(
      read({ path: path('hello world#.txt') }),
    )
    expect(parse('/read path=', link(`${root}/a%20b`), ' offset=3')).toEqual(read({ path: path('a b'), offset: 3 }))
    expect(parse('/read {"path": "', link(`${root}/a%22b`), '"}')).toEqual(read({ path: path('a"b') }))
    expect(parse('/read {"path": ', A, ', "offset": 2}')).toEqual(read({ path: path('a.ts'), offset: 2 }))
  })

  it('is one word for the shell, whatever its name', () => {
    expect(parse('!cat ', link(`${root}/$(x)%20y`), ' | head')).toEqual(shell(`cat '${path('$(x) y')}' | head`))
    expect(parse('!cat ', link(`${root}/a'b`))).toEqual(shell(`cat '${path(`a'"'"'b`)}'`))
  })

  it('is refused where its quotes would be lost and its name could run', () => {
    for (const open of ['!echo "', "!echo '", '!echo `', '!echo \\', '!cat <<EOF\n', '!echo "a" \'b\' "$(cat ']) {
      expect(parse(open, link(`${root}/$(x)`), '"')).toMatchObject({ type: 'wrong', line: 1 })
    }
  })

  it('is refused to the shell if its name holds a newline', () => {
    expect(parse('!ls # ', link(`${root}/a%0Atouch%20x`))).toMatchObject({ type: 'wrong', line: 1 })
  })

  it('gets the blank that a client trimmed away', () => {
    expect(parse('/read', A)).toEqual(read({ path: path('a.ts') }))
    expect(parse('/write ', A, '\n```\n', A, '\n```')).toMatchObject({
      calls: [{ arguments: { path: path('a.ts'), content: `${path('a.ts')}\n` } }],
    })
  })

  it('takes an image that names its file, and passes over one that does not', () => {
    const image: ContentBlock = { type: 'image', data: '', mimeType: 'image/png' }
    expect(parse('/read ', { ...image, uri: `${root}/a.png` })).toEqual(read({ path: path('a.png') }))
    expect(parse('/read a', image, 'b')).toEqual(read({ path: 'ab' }))
  })

  it('is wrong if it is no file', () => {
    expect(parse('/read ', link('zed:///agent/thread/1'))).toMatchObject({ type: 'wrong', line: 1 })
    expect(parse('!curl ', link('https://example.com/a?b'))).toEqual(shell("curl 'https://example.com/a?b'"))
  })
})

describe('text after a mention', () => {
  it('belongs to the command, and no line in it is a command (J1)', () => {
    expect(parse('!for f in ', A, '\ndo\n!touch x\ndone')).toEqual(
      shell(`for f in ${quoted('a.ts')}\ndo\n!touch x\ndone`),
    )
    expect(parse('!pwd\n!cat ', A, ' -n\n!touch x')).toMatchObject({
      calls: [{ arguments: { command: 'pwd' } }, { arguments: { command: `cat ${quoted('a.ts')} -n\n!touch x` } }],
    })
    expect(parse('/read ', A, '\n!touch x')).toMatchObject({ type: 'wrong', line: 2 })
    expect(parse('!pwd\n/read ', A, '\nhello')).toMatchObject({ type: 'wrong', line: 3 })
  })

  it('may hold the fenced blocks of the command', () => {
    expect(parse('/edit ', A, '\n```\nold\n```\n```\nnew\n```')).toMatchObject({
      calls: [{ name: 'edit', arguments: { path: path('a.ts'), old_string: 'old', new_string: 'new' } }],
    })
  })

  it('ends at the next text: what follows that is context, not typed', () => {
    expect(parse('!cat ', A, ' -n', '!touch x', A)).toEqual(shell(`cat ${quoted('a.ts')} -n`))
  })
})

function quoted(name: string): string {
  return process.platform === 'win32' ? `'${path(name)}'` : path(name)
}
