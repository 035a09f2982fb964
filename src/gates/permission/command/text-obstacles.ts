import type { Obstacle } from './reading.js'

/** What in the bare text of a command line deceives the reader's eye, or may be read otherwise by another shell. */
export function findTextObstacles(text: string): Obstacle[] {
  const obstacles: Obstacle[] = []
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(text)) obstacles.push('it holds control characters')
  if (/[\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}]|(?! )\p{Zs}/u.test(text)) obstacles.push('it holds invisible characters')
  // Where a line ends within a word, the parser and the shells part ways: `$\` + newline + `(rm x)` runs rm.
  if (/\S\\\r?\n\S/.test(text)) obstacles.push('it breaks a word over lines')
  return obstacles
}
