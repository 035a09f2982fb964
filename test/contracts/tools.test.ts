import { describe, it } from 'vitest'
import { defaultConfig } from '../../src/config/index.js'
import type { ToolPlugin, ToolSample } from '../../src/testing/index.js'
import { toolContract } from '../../src/testing/index.js'
import { shippedTools } from '../../src/tools/index.js'

const greeting = { 'src/a.ts': 'export const a = 1\nexport const b = 2\n', 'notes.md': '# Notes\n\nabc\n' }

/** Calls of each shipped tool: what it does, and ways in which it fails. */
const samples: Record<string, ToolSample[]> = {
  read: [
    { args: { path: 'src/a.ts' }, files: greeting, expect: { text: 'export const a', card: 'generic' } },
    { args: { path: 'notes.md', offset: 3, limit: 1 }, files: greeting, expect: { text: 'abc' } },
    { args: { path: 'gone.txt' }, expect: { code: 'NOT_FOUND' } },
  ],
  write: [
    {
      args: { path: 'new/file.txt', content: 'one\ntwo\n' },
      expect: { card: 'diff', files: { 'new/file.txt': 'one\ntwo\n' } },
    },
    { args: { path: 'notes.md', content: 'x' }, files: greeting, expect: { code: 'NOT_READ' } },
  ],
  edit: [
    {
      args: { path: 'src/a.ts', old_string: 'a = 1', new_string: 'a = 3' },
      files: greeting,
      expect: { card: 'diff', files: { 'src/a.ts': 'export const a = 3\nexport const b = 2\n' } },
    },
    {
      args: { path: 'crlf.txt', edits: [{ old_string: 'one\n', new_string: 'uno\n', replace_all: false }] },
      files: { 'crlf.txt': 'one\r\ntwo\r\n' },
      expect: { card: 'diff', files: { 'crlf.txt': 'uno\r\ntwo\r\n' } },
    },
    {
      args: { path: 'src/a.ts', old_string: 'c', new_string: 'd' },
      files: greeting,
      expect: { code: 'AMBIGUOUS_MATCH' },
    },
    {
      args: { path: 'src/a.ts', old_string: 'nothing', new_string: 'd' },
      files: greeting,
      expect: { code: 'NO_MATCH' },
    },
  ],
  bash: [
    {
      args: { command: 'echo one > out.txt; cat out.txt', description: 'Write' },
      expect: { card: 'terminal', text: 'one' },
    },
    {
      args: { command: 'pwd; exit 3', cwd: 'src' },
      files: greeting,
      expect: { code: 'COMMAND_FAILED', card: 'terminal' },
    },
    { args: { command: 'sleep 300 & sleep 300', timeout_ms: 60_000 }, untilStopped: true },
    { args: { command: 'yes | head -c 3000000' }, expect: { card: 'terminal' } },
  ],
  job: [
    { args: { action: 'list' } },
    { args: { action: 'output', id: 'job-none' }, expect: { code: 'UNKNOWN_JOB' } },
    { args: { action: 'list', timeout_ms: 0 }, expect: { code: 'INVALID_ARGS' } },
  ],
  grep: [
    { args: { pattern: 'const', path: 'src', context: 1 }, files: greeting, expect: { text: 'a = 1' } },
    {
      args: { pattern: 'ABC', glob: '*.md', ignore_case: true, max_results: 5 },
      files: greeting,
      expect: { text: 'notes.md' },
    },
    { args: { pattern: 'zzz' }, files: greeting },
  ],
  glob: [
    { args: { pattern: '**/*.ts' }, files: greeting, expect: { text: 'src/a.ts' } },
    { args: { pattern: '*.ts', path: 'src' }, files: greeting, expect: { text: 'a.ts' } },
  ],
  fetch: [{ args: { url: 'http://127.0.0.1:9/none' }, expect: { code: 'ADDRESS_REFUSED' } }],
  todo: [
    { args: { entries: [{ content: 'First', status: 'in_progress', priority: 'high' }] }, expect: { text: 'First' } },
    { args: { entries: [] } },
  ],
  'ask-user': [{ args: { question: 'Which one?', options: ['this', 'that'] }, expect: { text: 'No answer' } }],
}

describe.each(shippedTools(defaultConfig()))('the tool $name', plugin => {
  for (const check of toolContract(plugin as ToolPlugin, samples[plugin.name ?? ''] ?? [])) it(check.name, check.run)
})
