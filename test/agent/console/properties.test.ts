import fc from 'fast-check'
import { quote } from 'shlex'
import { describe, expect, it } from 'vitest'
import { splitWords } from '../../../src/agent/console/words.js'
import { parsePrompt } from '../../../src/agent/index.js'
import { type ContentBlock, fence, text } from '../../../src/cards/index.js'
import { consoleTools, grammar } from './console-tools.js'

const line = fc.oneof(
  fc.string(),
  fc.constantFrom('!', '![', '!ls', '/help', '/call ', '/call read x', '```', '````', '~~~', '{', '}', '"', '', ' '),
  fc.constantFrom(...consoleTools.map(tool => `/${tool.name} `)).chain(head => fc.string().map(rest => head + rest)),
)
const prompt = fc.array(line, { maxLength: 8 }).map(lines => lines.join('\n'))
const block = fc.oneof(
  prompt.map(text),
  fc.webUrl().map((uri): ContentBlock => ({ type: 'resource_link', uri, name: '' })),
  fc.string().map((name): ContentBlock => ({ type: 'resource_link', uri: `file:///${name}`, name })),
  fc.constant<ContentBlock>({ type: 'image', data: '', mimeType: 'image/png' }),
)
const anyText = fc.string({ unit: 'grapheme' })
const oneLine = anyText.map(value => value.replace(/\s+/g, ' ').trim()).filter(value => value !== '')

describe('any prompt', () => {
  it('is read without a throw, as commands, text or a line that is wrong', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), blocks => {
        const parsed = parsePrompt(blocks, grammar)
        if (parsed.type === 'calls') {
          expect(parsed.calls.length).toBeGreaterThan(0)
          for (const call of parsed.calls) expect(consoleTools.map(tool => tool.name)).toContain(call.name)
        } else if (parsed.type === 'wrong') {
          expect(parsed.line).toBeGreaterThan(0)
          expect(parsed.problem).not.toBe('')
          expect(parsed.form).not.toBe('')
        } else expect(['text', 'session-command']).toContain(parsed.type)
      }),
    )
  })

  it('whose text begins with neither mark is text', () => {
    fc.assert(
      fc.property(
        prompt.filter(value => !/^\s*[!/]/.test(value)),
        value => {
          expect(parsePrompt([text(value)], grammar)).toEqual({ type: 'text' })
        },
      ),
    )
  })
})

describe('a command goes round', () => {
  const parsesTo = (line: string, name: string, args: object) => {
    expect(parsePrompt([text(line)], grammar)).toEqual({ type: 'calls', calls: [{ name, arguments: args }] })
  }

  it('through JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.boolean(), (args, isPretty) => {
        parsesTo(`/todo ${JSON.stringify(args, null, isPretty ? 2 : 0)}`, 'todo', JSON.parse(JSON.stringify(args)))
      }),
    )
  })

  it('through name=value words with shell quoting', () => {
    fc.assert(
      fc.property(oneLine, fc.integer(), (path, offset) => {
        parsesTo(`/read path=${quote(path)} offset=${offset}`, 'read', { path, offset })
      }),
    )
  })

  it('through fenced blocks', () => {
    fc.assert(
      fc.property(anyText, value => {
        const content = `${value.replace(/\r/g, '')}\n`
        parsesTo(`/write a.txt\n${fence(content)}`, 'write', { path: 'a.txt', content })
      }),
    )
  })

  it('through the shell line', () => {
    fc.assert(
      fc.property(
        oneLine.filter(value => !value.startsWith('[')),
        command => {
          parsesTo(`!${command}`, 'shell', { command })
        },
      ),
    )
  })
})

describe('words', () => {
  it('are the inverse of shell quoting', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), words => {
        expect(splitWords(words.map(quote).join(' '))).toEqual(words)
      }),
    )
  })
})
