import { describe, expect, it } from 'vitest'
import { decideCommand } from '../../../../src/gates/permission/command/index.js'

const cwd = '/w'
const remembered = [
  { words: ['pytest', '*'], source: 'what you allowed in this project', staysInside: true },
  { words: ['tsc', '*'], source: 'what you allowed in this project', staysInside: true },
]

function decide(command: string, allow: readonly (typeof remembered)[number][] = remembered) {
  const resolve = async (path: string) => ({ spoken: path, path, realPath: path, inside: path.startsWith('/w/') })
  return decideCommand(command, { cwd, roots: [cwd], rules: { allow, ask: [], deny: [] }, resolve, shell: 'sh' })
}

describe('an always-answer with further words', () => {
  it.each(['pytest', 'pytest -q test_a.py', 'pytest -k "a and b"', 'tsc -p tsconfig.json --outDir=dist'])(
    'covers %s',
    async command => {
      expect(await decide(command)).toMatchObject({ decision: 'allow' })
    },
  )

  it.each([
    'pytest --basetemp=/home',
    'pytest ../elsewhere',
    'tsc a.ts --outFile /etc/x',
    'tsc --outDir=../x',
    'pytest "$WHERE"',
    'pytest .env',
  ])('does not cover %s, which leaves the roots or names a secret', async command => {
    expect(await decide(command)).toMatchObject({ decision: 'ask' })
  })

  it('is offered for exactly its words where they leave the roots', async () => {
    expect(await decide('pytest --basetemp=/home', [])).toMatchObject({ always: [['pytest', '--basetemp=/home']] })
    expect(await decide('pytest "$WHERE"', [])).not.toHaveProperty('always')
    expect(await decide('pytest -q', [])).toMatchObject({ always: [['pytest', '*']] })
  })
})
