import { byteLength, formatBytes } from '../../cards/index.js'
import type { SampleRun } from '../run-sample.js'
import { labelOf } from '../show.js'

const MAX_META_BYTES = 1024 * 1024
const MAX_MEDIA_BYTES = 8 * 1024 * 1024

/** A result is recorded, and the model reads its text: both have a limit. */
export function outputProblems({ sample, result }: SampleRun, maxTextBytes: number): string[] {
  const label = labelOf(sample)
  const texts = result.content.map(block => (block.type === 'text' ? byteLength(block.text) : 0))
  const text = sum(texts)
  const all = byteLength(JSON.stringify(result.content))
  const meta = byteLength(JSON.stringify(result.meta ?? null))
  return [
    ...over(label, 'the text for the model', text, maxTextBytes, 'cut it and say what was left out'),
    ...over(label, 'the content', all, maxTextBytes + MAX_MEDIA_BYTES, 'images and resources need a limit'),
    ...over(label, 'meta', meta, MAX_META_BYTES, 'keep what the card needs'),
  ]
}

function over(label: string, what: string, bytes: number, limit: number, advice: string): string[] {
  if (bytes <= limit) return []
  return [`${label}: ${what} has ${formatBytes(bytes)}, more than ${formatBytes(limit)}: ${advice}.`]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
