import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory of this test, without links in its path. */
export function makeDirectory(name = 'project'): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `deckhand-${name}-`)))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
