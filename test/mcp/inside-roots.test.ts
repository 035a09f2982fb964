import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createInsideRoots } from '../../src/mcp/inside-roots.js'
import { makeDirectory } from '../support/directory.js'

it('a path lies in a session by the name of its directory and by the real one, and nowhere else', () => {
  const base = makeDirectory()
  const [real, link, lib] = ['real', 'link', 'lib'].map(name => join(base, name)) as [string, string, string]
  for (const path of [real, lib]) mkdirSync(path)
  symlinkSync(real, link, 'junction')
  const isInside = createInsideRoots({ sessionId: 's', cwd: link, roots: [link, lib], origin: 'model' })
  const inside = ['a.ts', './x/../a.ts', '', join(link, 'a'), join(real, 'a'), join(lib, 'a'), '../lib/a']
  const outside = ['..', '../other', base, `${real}x`, join(link, '..', 'a')]
  expect(inside.filter(path => !isInside(path))).toEqual([])
  expect(outside.filter(isInside)).toEqual([])
})
