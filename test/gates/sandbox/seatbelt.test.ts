import { expect, test } from 'vitest'
import type { SandboxPlan } from '../../../src/gates/sandbox/plan.js'
import { toSeatbeltProfile } from '../../../src/gates/sandbox/seatbelt.js'

const plan: SandboxPlan = {
  cwd: '/w',
  network: false,
  kernelFiles: { readOnly: [], hidden: [] },
  emptied: [],
  temporary: { at: ['/private/tmp'] },
  shown: [],
  writable: ['/w', '/odd "name"\\'],
  links: [],
  readOnly: ['/w/.vscode'],
  keptEmpty: ['/w/.git/hooks'],
  hidden: { folders: ['/home/me/.ssh'], files: ['/w/.env'] },
}

test('a profile lets write the workspace, then takes out what steers and what is secret; quotes are escaped', () => {
  const lines = toSeatbeltProfile(plan, '/var/folders/x').split('\n')
  const at = (words: string) => lines.findIndex(line => line.includes(words))
  expect(lines[at('(subpath "/w")')]).toMatch(
    /^\(allow file-write\*.*"\/odd \\"name\\"\\\\".*"\/private\/var\/folders\/x"/,
  )
  expect(lines[at('/w/.vscode')]).toMatch(/^\(deny file-write\* .*\/w\/\.git\/hooks/)
  expect(lines[at('/home/me/.ssh')]).toMatch(/^\(deny file-read\* file-write\* .*\/w\/\.env/)
  expect([at('(deny file-write*)'), at('(subpath "/w")'), at('/w/.vscode'), at('(deny network*)')]).toEqual(
    [at('(deny file-write*)'), at('(subpath "/w")'), at('/w/.vscode'), at('(deny network*)')].sort((a, b) => a - b),
  )
  expect(toSeatbeltProfile({ ...plan, network: true }, '/tmp')).not.toContain('network')
})
