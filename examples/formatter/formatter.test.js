import test from 'node:test'
import { toolContract } from 'deckhand/testing'
import * as formatter from './formatter.js'

const untidy = { 'a.js': 'const a = 1  \n\n\n\nconst b = 2\nconst c = 3\n\n\n\nconst d = 4', 'b.js': 'tidy()\n' }

test('the built-in formatter', async t => {
  /** @type {import('deckhand/testing').ToolSample[]} */
  const samples = [
    {
      name: 'two files',
      args: { paths: ['a.js', 'b.js'] },
      files: untidy,
      expect: {
        card: 'diff',
        text: 'b.js: as it was',
        files: { 'a.js': 'const a = 1\n\nconst b = 2\nconst c = 3\n\nconst d = 4\n', 'b.js': 'tidy()\n' },
      },
    },
    {
      name: 'CRLF and a byte order mark stay',
      args: { paths: ['w.txt'] },
      files: { 'w.txt': '\uFEFFone \r\ntwo\r\n' },
      expect: { files: { 'w.txt': '\uFEFFone\r\ntwo\r\n' } },
    },
    { name: 'nothing to do', args: { paths: ['b.js'] }, files: untidy },
    { name: 'no text', args: { paths: ['c'] }, files: { c: new Uint8Array(9) }, expect: { code: 'BINARY_FILE' } },
    { name: 'no file', args: { paths: ['gone.js'] }, expect: { code: 'NOT_FOUND' } },
  ]
  for (const check of toolContract(formatter, samples)) await t.test(check.name, check.run)
})

test('a formatter program', async t => {
  const upper = "process.stdin.on('data', text => process.stdout.write(String(text).toUpperCase()))"
  const samples = [
    {
      name: 'two files',
      args: { paths: ['a.js', 'my file.js'] },
      files: { 'a.js': 'a\n', 'my file.js': 'b\n' },
      expect: { files: { 'a.js': 'A\n', 'my file.js': 'B\n' } },
    },
  ]
  const config = { program: ['node', '-e', upper, '{path}'] }
  for (const check of toolContract(formatter, samples, { config })) await t.test(check.name, check.run)
})

test('a formatter program that fails or does not end', async t => {
  const failing = { config: { program: ['node', '-e', "console.error('line 1: what?'); process.exit(2)"] } }
  const broken = { args: { paths: ['a.js'] }, files: untidy, expect: { code: 'COMMAND_FAILED', text: 'line 1: what?' } }
  for (const check of toolContract(formatter, [broken], failing)) await t.test(check.name, check.run)
  const endless = { config: { program: ['node', '-e', 'setInterval(() => {}, 1000)'] } }
  const stuck = { args: { paths: ['a.js'] }, files: untidy, untilStopped: true }
  for (const check of toolContract(formatter, [stuck], endless)) await t.test(check.name, check.run)
})
