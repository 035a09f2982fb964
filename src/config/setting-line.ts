import { type Document, isMap, isNode, isScalar, type LineCounter } from 'yaml'
import type { SettingPath } from './describe-issue.js'

/** The 1-based line of a setting's key, or of the nearest one above it that stands in the file. */
export function lineOf(document: Document, lines: LineCounter, path: SettingPath): number | undefined {
  const start = startOf(document, path)
  return start === undefined ? undefined : lines.linePos(start).line
}

function startOf(document: Document, path: SettingPath): number | undefined {
  const last = path.at(-1)
  if (last === undefined) return undefined
  const above = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(above)) {
    const pair = above.items.find(({ key }) => isScalar(key) && String(key.value) === String(last))
    if (isNode(pair?.key) && pair.key.range) return pair.key.range[0]
  }
  const item = document.getIn(path, true)
  if (isNode(item) && item.range) return item.range[0]
  return startOf(document, path.slice(0, -1))
}
