import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkTranscript, type LineFinding } from '../../src/bridge/check/check-transcript.js'
import { WireChecker } from '../../src/bridge/check/checker.js'
import { toUpdateFrame } from '../support/schema.js'

const fixtures = join(import.meta.dirname, '../../fixtures/wire')
const files = (kind: string) =>
  readdirSync(join(fixtures, kind)).map(name => [name.replace('.ndjson', ''), kind] as const)

async function findingsOf(name: string, kind: string): Promise<LineFinding[]> {
  const lines = readFileSync(join(fixtures, kind, `${name}.ndjson`), 'utf8').split('\n')
  const findings: LineFinding[] = []
  for await (const finding of checkTranscript(lines)) findings.push(finding)
  return findings
}

describe('the checker', () => {
  it.each(files('faults'))('finds the one fault of %s', async (name, kind) => {
    const findings = await findingsOf(name, kind)
    expect(findings.map(finding => finding.rule)).toEqual([Number(name.slice(0, 2))])
    expect(findings[0]?.text).not.toBe('')
  })

  it('has a fault on file for every rule', () => {
    const rules = new Set(files('faults').map(([name]) => Number(name.slice(0, 2))))
    expect([...rules].sort((a, b) => a - b)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
  })

  it.each(files('sound'))('finds nothing in %s', async (name, kind) => {
    expect(await findingsOf(name, kind)).toEqual([])
  })

  it('names the line, the session and the call', async () => {
    const [finding] = await findingsOf('05-no-status', 'faults')
    expect(finding).toMatchObject({ line: 7, sessionId: 's1', toolCallId: 'c1' })
  })

  it('measures a message as it is serialized', () => {
    const checker = new WireChecker()
    const chunk = (text: string) =>
      checker.check(toUpdateFrame({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }))
    expect(chunk('x'.repeat(1_000_000))).toEqual([])
    expect(chunk('\u001b'.repeat(200_000)).map(finding => finding.rule)).toEqual([12])
  })

  it('finds images that should be a text', () => {
    const content = { type: 'image' as const, mimeType: 'image/png', data: 'A'.repeat(1_000_000) }
    const findings = new WireChecker().check(toUpdateFrame({ sessionUpdate: 'agent_message_chunk', content }))
    expect(findings.map(finding => finding.rule)).toEqual([12])
  })
})
