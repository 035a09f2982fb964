import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withFreshOutput } from './support/commands.js'
import { codeBlocks, readDocument, root } from './support/markdown.js'

const NAME = 'docs/wire.md'
const markdown = readDocument(NAME)

describe('docs/wire.md', () => {
  it('shows the frames and findings that the commands before them print (vitest -u prints them anew)', async () => {
    await expect(await withFreshOutput(markdown)).toMatchFileSnapshot(join(root, NAME))
  })

  it('shows frames for every card, and none that is not JSON', () => {
    const frames = codeBlocks(markdown)
      .filter(({ label }) => label === 'frames')
      .map(({ text }) => JSON.parse(`[${text.replaceAll('}\n{', '},\n{')}]`))
    expect(new Set(frames.flat().map(frame => frame.kind))).toEqual(
      new Set(['execute', 'edit', 'read', 'think', 'other', undefined]),
    )
    expect(frames.every(([first]) => first.sessionUpdate === 'tool_call')).toBe(true)
  })

  it('numbers the rules as the checker does', () => {
    const numbers = [...markdown.matchAll(/^(\d+)\. /gm)].map(match => Number(match[1]))
    expect(numbers).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
  })
})
