import { describe, expect, it } from 'vitest'
import { type ParsedCall, type ParsedPrompt, parsePrompt } from '../../../src/agent/index.js'
import { type ContentBlock, text } from '../../../src/cards/index.js'
import { grammar, modelGrammar } from './console-tools.js'

const parse = (...lines: string[]) => parsePrompt([text(lines.join('\n'))], grammar)
const shell = (command: string): ParsedCall => ({ name: 'shell', arguments: { command } })
const read = (path: string): ParsedCall => ({ name: 'read', arguments: { path } })
const calls = (...list: ParsedCall[]): ParsedPrompt => ({ type: 'calls', calls: list })
const wrongAt = (line: number) => expect.objectContaining({ type: 'wrong', line })
const TEXT: ParsedPrompt = { type: 'text' }

describe('a ! command', () => {
  it('is one call', () => {
    expect(parse('!ls -la')).toEqual(calls(shell('ls -la')))
    expect(parse('! ls -la ')).toEqual(calls(shell('ls -la')))
  })

  it('owns all lines of a here-document or a loop (J1)', () => {
    expect(parse('!cat <<EOF', '!one', 'two', 'EOF')).toEqual(calls(shell('cat <<EOF\n!one\ntwo\nEOF')))
    expect(parse('!for f in *; do', '', '  echo $f', 'done', '')).toEqual(
      calls(shell('for f in *; do\n\n  echo $f\ndone')),
    )
  })

  it('is one of several calls if each line is a command', () => {
    expect(parse('!pwd', '', '/read a.txt', '!ls', '')).toEqual(calls(shell('pwd'), read('a.txt'), shell('ls')))
  })

  it('does not own the fenced blocks of a tool line below it', () => {
    expect(parse('!ls', '/write a.txt', '```', '!rm x', '```')).toEqual(
      calls(shell('ls'), { name: 'write', arguments: { path: 'a.txt', content: '!rm x\n' } }),
    )
  })

  it('owns a wrong tool line if a line further down is no command', () => {
    const script = ['!cat > notes.md <<EOF', '![shot](a.png)', '/call nothing', '```', 'x', '```', 'EOF']
    expect(parse(...script)).toEqual(calls(shell(script.join('\n').slice(1))))
  })

  it('leaves commands above it alone when it takes all lines below', () => {
    expect(parse('/read a.txt', '!cat <<EOF', 'x', 'EOF')).toEqual(calls(read('a.txt'), shell('cat <<EOF\nx\nEOF')))
  })

  it('is none when it stands alone or begins a Markdown image (J1)', () => {
    for (const prompt of ['!', '! ', '!\nls', '![shot](a.png) fix this', '![', '!\n!ls'])
      expect(parse(prompt)).toEqual(TEXT)
    expect(parse('!ls', '!')).toEqual(wrongAt(2))
    expect(parse('!ls', '![shot](a.png)')).toEqual(wrongAt(2))
  })

  it('is wrong if the command tool is not registered', () => {
    expect(parsePrompt([text('!ls')], { ...grammar, commandTool: 'absent' })).toEqual(wrongAt(1))
  })
})

describe('where commands may stand', () => {
  it('is the first text that is not blank, without the blanks before it', () => {
    expect(parsePrompt([text(' \n'), text('\n\n  !ls')], grammar)).toEqual(calls(shell('ls')))
    expect(parse('', '   /read a.txt')).toEqual(calls(read('a.txt')))
  })

  it('is never a resource, a link, a later text or a later line of text (J1)', () => {
    const resource: ContentBlock = { type: 'resource', resource: { uri: 'file:///w/x', text: '!touch x' } }
    expect(parsePrompt([resource, text('what is this?')], grammar)).toEqual(TEXT)
    expect(parsePrompt([text('what is this?'), resource], grammar)).toEqual(TEXT)
    expect(parsePrompt([text('hello'), text('!touch x')], grammar)).toEqual(TEXT)
    expect(parsePrompt([text('!ls'), text('!touch x')], grammar)).toEqual(calls(shell('ls')))
    expect(parse('hello', '!touch x')).toEqual(TEXT)
    expect(parsePrompt([resource], grammar)).toEqual(TEXT)
    expect(parsePrompt([], grammar)).toEqual(TEXT)
  })

  it('reads CRLF as LF', () => {
    expect(parse('!pwd\r', '/write a.txt\r', '```\r', 'x\r', '```\r')).toEqual(
      calls(shell('pwd'), { name: 'write', arguments: { path: 'a.txt', content: 'x\n' } }),
    )
  })
})

describe('a /tool line', () => {
  it.each(['/etc/hosts lacks a line', '/writex a', '/write/x', '/ write', '/', '//read x', '/unknown x'])(
    'is text where no tool has the name: %s (J1)',
    prompt => expect(parse(prompt)).toEqual(TEXT),
  )

  it('ends at the name: nothing, a blank or a tab may follow', () => {
    expect(parse('/ping')).toEqual(calls({ name: 'ping', arguments: {} }))
    expect(parse('/read\ta b.txt  ')).toEqual(calls(read('a b.txt')))
  })

  it('runs also if its arguments do not validate: that is for the call to say', () => {
    expect(parse('/read')).toEqual(calls({ name: 'read', arguments: {} }))
    expect(parse('/write a test for x')).toEqual(calls({ name: 'write', arguments: { path: 'a test for x' } }))
  })

  it('is wrong with text below it that is no fenced block, and the answer names the form of the command', () => {
    expect(parse('/write a.txt', 'hello')).toEqual({
      type: 'wrong',
      line: 2,
      problem: 'this line is no command',
      form: '/write PATH + one fenced block',
    })
  })

  it('keeps everything from running if any line is wrong', () => {
    expect(parse('/read a.txt', '!ls', '/call nothing')).toEqual(wrongAt(3))
    expect(parse('!touch x', '/write a.txt', '```', 'x')).toEqual(wrongAt(3))
  })
})

describe('/call', () => {
  it('runs any tool by name, with the arguments of its own line', () => {
    expect(parse('/call read a.txt')).toEqual(calls(read('a.txt')))
    expect(parse('/call write a.txt', '```', 'x', '```')).toEqual(
      calls({ name: 'write', arguments: { path: 'a.txt', content: 'x\n' } }),
    )
  })

  it('is wrong without a name and with an unknown one', () => {
    expect(parse('/call')).toEqual(wrongAt(1))
    expect(parse('/call nothing here')).toMatchObject({
      line: 1,
      problem: expect.stringMatching(/^no tool is named nothing;/),
    })
  })
})

describe('a session command', () => {
  it('stands alone in a prompt', () => {
    expect(parse('/help', '')).toEqual({ type: 'session-command', name: 'help' })
    expect(parse('/help', '!ls')).toEqual(wrongAt(1))
    expect(parse('!ls', '/tools')).toEqual(wrongAt(2))
    expect(parse('/read a', '/tools')).toEqual(wrongAt(2))
    expect(parse('/tools now')).toEqual(wrongAt(1))
    expect(parse('/helpless')).toEqual(TEXT)
  })
})

describe('the grammar of a driver with a model', () => {
  it('leaves tool lines to the model and keeps !, /call and session commands (J1)', () => {
    const parseForModel = (prompt: string) => parsePrompt([text(prompt)], modelGrammar)
    expect(parseForModel('/write a test for x')).toEqual(TEXT)
    expect(parseForModel('/etc/hosts lacks a line')).toEqual(TEXT)
    expect(parseForModel('![shot](a.png) fix this')).toEqual(TEXT)
    expect(parseForModel('!cat <<EOF\nx\nEOF')).toEqual(calls(shell('cat <<EOF\nx\nEOF')))
    expect(parseForModel('/call read a.txt')).toEqual(calls(read('a.txt')))
    expect(parseForModel('/tools')).toEqual({ type: 'session-command', name: 'tools' })
  })
})
