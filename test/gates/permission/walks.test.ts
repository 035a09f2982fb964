import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { putTree } from '../../support/tree.js'
import { openGate } from './support.js'

describe('searches over a root that holds our own files (J3)', () => {
  it('never come to them, by their own names or through links, and find all else', async () => {
    const bench = await openGate({ mode: 'full-access' })
    const { outside } = bench
    const agent = { ...bench.agent, cwd: outside, roots: [outside] }
    await putTree(outside, {
      'state/sessions/s.jsonl': 'needle\n',
      'state/permissions.json': 'needle\n',
      'state/checkpoints/a/b': 'needle\n',
      'config/config.yml': 'needle\n',
      'config/other.yml': 'needle\n',
      'state/notes.txt': 'needle\n',
    })
    await symlink(join(outside, 'config', 'config.yml'), join(outside, 'linked.yml'))
    const found = await bench.call('grep', { pattern: 'needle' }, { agent })
    expect(found.text).toContain('other.yml')
    expect(found.text).toContain('notes.txt')
    for (const own of ['s.jsonl', 'permissions.json', 'checkpoints', 'config.yml', 'linked.yml']) {
      expect(found.text).not.toContain(own)
    }
    const listed = await bench.call('glob', { pattern: '**/*' }, { agent })
    expect(listed.text).not.toMatch(/s\.jsonl|permissions\.json|config\.yml|linked/)
    const named = await bench.call('grep', { pattern: 'needle', path: 'state/sessions' }, { agent })
    expect(named.code).toBe('REFUSED')
  })
})
