import { describe, expect, it } from 'vitest'
import { parsePrompt } from '../../../src/agent/index.js'
import { text } from '../../../src/cards/index.js'
import { grammar } from './console-tools.js'

const parse = (...lines: string[]) => parsePrompt([text(lines.join('\n'))], grammar)
const one = (name: string, args: object) => ({ type: 'calls', calls: [{ name, arguments: args }] })
const wrong = (line: number, problem: string) => expect.objectContaining({ type: 'wrong', line, problem })

describe('a JSON object', () => {
  it('is the arguments, on one line or over several', () => {
    expect(parse('/read {"path": "a b.txt", "offset": 3}')).toEqual(one('read', { path: 'a b.txt', offset: 3 }))
    expect(parse('/todo {', '  "entries": [{"content": "}"}]', '}')).toEqual(
      one('todo', { entries: [{ content: '}' }] }),
    )
  })

  it('ends where its braces do: the next line is a command again', () => {
    expect(parse('/todo {', '"entries": []', '}', '/ping')).toMatchObject({
      calls: [{ name: 'todo' }, { name: 'ping', arguments: {} }],
    })
  })

  it('goes with fenced blocks for what it leaves out', () => {
    expect(parse('/edit {"path": "a", "replace_all": true}', '```', 'x', '```', '```', 'y', '```')).toEqual(
      one('edit', { path: 'a', replace_all: true, old_string: 'x', new_string: 'y' }),
    )
  })

  it('is wrong as a form if it is not closed, not JSON, followed by text or too deep', () => {
    expect(parse('/todo {', '"entries": [')).toEqual(wrong(1, 'the JSON object is not closed'))
    expect(parse('/read {path: a}')).toEqual(wrong(1, 'what stands in braces is not a JSON object'))
    expect(parse('/read {"path":', '"a"} b')).toEqual(wrong(2, 'there is text after the JSON object'))
    expect(parse(`/todo {"entries": ${'['.repeat(100_000)}`)).toEqual(
      wrong(1, 'the JSON object is nested deeper than 100 levels'),
    )
  })
})

describe('name=value words', () => {
  it('take shell quoting, text for strings and JSON for everything else', () => {
    expect(parse(`/shell command="git log -1" timeout_ms=500 background=true`)).toEqual(
      one('shell', { command: 'git log -1', timeout_ms: 500, background: true }),
    )
    expect(parse(`/write path=a\\ b.txt content='it "is"'`)).toEqual(
      one('write', { path: 'a b.txt', content: 'it "is"' }),
    )
    expect(parse(`/todo entries='[{"content":"x"}]'`)).toEqual(one('todo', { entries: [{ content: 'x' }] }))
    expect(parse('/read path=1 offset=')).toEqual(one('read', { path: '1', offset: '' }))
  })

  it('keep a value that is no JSON as text, for the tool to refuse', () => {
    expect(parse('/read path=a offset=many')).toEqual(one('read', { path: 'a', offset: 'many' }))
  })

  it('keep backslashes before letters, quoted or not', () => {
    expect(parse(String.raw`/read path=C:\src\a.ts`)).toEqual(one('read', { path: String.raw`C:\src\a.ts` }))
    expect(parse(String.raw`/write path='\\d'"it's" content="\n\\"`)).toEqual(
      one('write', { path: String.raw`\\dit's`, content: '\\n\\' }),
    )
  })

  it('are wrong if a name comes twice', () => {
    expect(parse('/read path=a path=b')).toEqual(wrong(1, 'path is given twice'))
  })

  it('fill the blocks in around them', () => {
    expect(parse('/edit path=a replace_all=true', '```', 'x', '```', '```', 'y', '```')).toEqual(
      one('edit', { path: 'a', replace_all: true, old_string: 'x', new_string: 'y' }),
    )
  })
})

describe('plain text', () => {
  it.each([
    ['/shell FOO=1 make', { command: 'FOO=1 make' }],
    [`/shell echo "it's" a=b`, { command: `echo "it's" a=b` }],
    [`/shell command="open`, { command: 'command="open' }],
    ['/read   a  b.txt', { path: 'a  b.txt' }],
    ['/read path = a', { path: 'path = a' }],
  ])('is the first console string as it is: %s', (line, args) => {
    expect(parse(line)).toMatchObject({ calls: [{ arguments: args }] })
  })

  it('takes an enumeration for a string', () => {
    expect(parse('/job list')).toEqual(one('job', { action: 'list' }))
  })

  it('is wrong for a tool that has no console string', () => {
    expect(parse('/todo buy milk')).toEqual({
      type: 'wrong',
      line: 1,
      problem: 'it takes no plain text',
      form: '/todo {"entries":[{"content":"…","status":"pending"}]}',
    })
    expect(parse('/ping now')).toEqual(wrong(1, 'it takes no plain text'))
  })
})

describe('fenced blocks', () => {
  it('keep their lines with their newlines', () => {
    expect(parse('/write a.txt', '', '```ts', '', 'x', '', '```')).toEqual(
      one('write', { path: 'a.txt', content: '\nx\n\n' }),
    )
    expect(parse('/write a.txt', '```', '```')).toEqual(one('write', { path: 'a.txt', content: '' }))
  })

  it('lose the last newline together when a call has several, so that a slice may end within a line', () => {
    expect(parse('/edit a', '```', 'x', '', '```', '```', 'y', '```')).toEqual(
      one('edit', { path: 'a', old_string: 'x\n', new_string: 'y' }),
    )
  })

  it('keep it when one of them is empty: the other is a whole line then', () => {
    expect(parse('/edit a', '```', 'x', '```', '```', '```')).toEqual(
      one('edit', { path: 'a', old_string: 'x\n', new_string: '' }),
    )
  })

  it('close at a fence of their own kind and length', () => {
    expect(parse('/write a', '````', '```', '~~~~', '````')).toEqual(
      one('write', { path: 'a', content: '```\n~~~~\n' }),
    )
    expect(parse('/write a', '~~~', '```', '~~~')).toEqual(one('write', { path: 'a', content: '```\n' }))
  })

  it('fill the first console string too if the line has none', () => {
    expect(parse('/shell', '```', 'for x in a; do', '  echo $x', 'done', '```')).toEqual(
      one('shell', { command: 'for x in a; do\n  echo $x\ndone\n' }),
    )
  })

  it('are wrong if open, if too many, and if they are inline code', () => {
    expect(parse('/write a', '', '```', 'x')).toEqual(wrong(3, 'this fence is not closed'))
    expect(parse('/read a', '```', 'x', '```')).toEqual(wrong(1, 'fenced blocks after it: 1, it can take 0'))
    expect(parse('/write a', '```x```')).toEqual(wrong(2, 'this line is no command'))
  })
})
