import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BIG_FILE_LINES, bigLine, editedLine, lineOfEdit } from './steps.js'

// Writes N MiB in lines of 100 bytes and waits for a reader that is slower.
const OUTPUT_PROGRAM = `const fs = require('fs')
const block = Buffer.from(('x'.repeat(99) + '\\n').repeat(10486))
let left = Number(process.argv[2]) * 1048576
while (left > 0) {
  try { left -= fs.writeSync(1, block, 0, Math.min(left, block.length)) } catch (e) { if (e.code !== 'EAGAIN') throw e }
}
`

/** A scratch folder for everything that a run leaves behind; removed at the end. */
export class Scratch {
  readonly dir = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  #count = 0

  folder(name: string): string {
    const path = join(this.dir, `${name}-${++this.#count}`)
    mkdirSync(path, { recursive: true })
    return path
  }

  /** A small git repository with a file of 5,000 lines and a program that prints. */
  project(): string {
    const root = this.folder('project')
    writeFileSync(join(root, 'big.txt'), bigFile())
    writeFileSync(join(root, 'README.md'), '# scratch\n')
    writeFileSync(join(root, 'output.cjs'), OUTPUT_PROGRAM)
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', '-c', 'init.defaultBranch=main', ...args], {
        cwd: root,
        stdio: 'ignore',
      })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'start')
    return root
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Throws unless the turn `edits` has done all that it should. */
export function checkEdits(root: string, count: number): void {
  const lines = readFileSync(join(root, 'big.txt'), 'utf8').split('\n')
  for (let k = 0; k < count; k++) {
    const line = lineOfEdit(k)
    if (lines[line - 1] !== editedLine(line)) throw new Error(`line ${line} of big.txt was not edited`)
  }
  for (let k = 0; k < Math.ceil(count / 5); k++) readFileSync(join(root, `new${k}.txt`))
}

function bigFile(): string {
  return Array.from({ length: BIG_FILE_LINES }, (_, n) => `${bigLine(n + 1)}\n`).join('')
}
