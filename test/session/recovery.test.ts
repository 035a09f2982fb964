import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, parse } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failureOf, logFixture, outline, readAll, tempDirectory } from './support.js'

const fixture = (name: string) => readAll(logFixture(name))

/** The 1-based number of the line that holds `part` in a fixture. */
function lineOf(name: string, part: string): number {
  const lines = readFileSync(logFixture(name), 'latin1').split('\n')
  const index = lines.findIndex(line => line.includes(part))
  if (index === -1) throw new Error(`${name} holds no ${part}`)
  return index + 1
}

describe('readLog', () => {
  it('gives the header and the events of a good log in order, without a warning', async () => {
    const { header, events, warnings, closing } = await fixture('good')
    expect(header).toEqual({
      type: 'session',
      version: 1,
      id: 'good',
      cwd: '/w/project',
      roots: ['/w/project', '/w/extra'],
      created: '2026-01-01T00:00:00.000Z',
    })
    expect(outline(events)).toEqual([
      'session/config',
      'turn/start',
      'user/message',
      'assistant/message',
      'assistant/message',
      'tool/call c1',
      'tool/running c1',
      'tool/progress c1',
      'tool/result c1',
      'assistant/message',
      'turn/end',
      'session/config',
    ])
    expect(events.map(event => event.at)).toEqual(events.map((_, index) => 1767225600000 + index))
    expect([warnings, closing()]).toEqual([[], []])
  })

  it('drops a torn last line and names it (B50)', async () => {
    const { events, warnings } = await fixture('torn-tail')
    expect(outline(events)).toEqual(['turn/start', 'user/message', 'tool/call c1', 'tool/result c1'])
    expect(warnings).toEqual([{ line: lineOf('torn-tail', 'assistant/message'), reason: 'the last line is torn' }])
  })

  it('finds the records before and after a run of NUL bytes (B50)', async () => {
    const { events, warnings } = await fixture('nul-run')
    expect(outline(events)).toEqual(['turn/start', 'user/message', 'tool/call c1', 'tool/result c1', 'turn/end'])
    expect(warnings).toEqual([
      { line: lineOf('nul-run', 'tool/call'), reason: 'NUL bytes' },
      { line: lineOf('nul-run', 'tool/result') + 1, reason: 'NUL bytes' },
    ])
  })

  it('goes on after lines that are no records, one warning each (B50)', async () => {
    const { events, warnings } = await fixture('bad-middle')
    expect(outline(events)).toEqual(['turn/start', 'user/message', 'assistant/message', 'turn/end'])
    expect(warnings).toEqual([
      { line: lineOf('bad-middle', 'no record'), reason: 'not a record' },
      { line: lineOf('bad-middle', '[1,2]'), reason: 'not a record' },
      { line: lineOf('bad-middle', 'soon'), reason: 'turn/end with a wrong field: at' },
    ])
  })

  it('takes two records of one line, and a whole one after a damaged one (B50)', async () => {
    const { events, warnings } = await fixture('interleaved')
    expect(outline(events)).toEqual([
      'turn/start',
      'user/message',
      'tool/call c1',
      'tool/result c1',
      'assistant/message',
      'turn/end',
    ])
    expect(events[4]).toMatchObject({ messageId: 'm2', text: 'whole' })
    expect(warnings).toEqual([
      { line: lineOf('interleaved', 'tool/call'), reason: 'several records on one line' },
      { line: lineOf('interleaved', '"m2"'), reason: 'a damaged record before a whole one' },
    ])
  })

  it('takes no event from inside the arguments of a torn call', async () => {
    const nested = '{"at":1,"type":"permission/answered","callId":"c1","answer":"allow"}'
    const path = join(tempDirectory(), 's1.jsonl')
    const torn = `{"at":1,"type":"tool/call","callId":"c2","name":"x","arguments":{"a":${nested},"b":"cut`
    writeFileSync(path, `${readFileSync(logFixture('open-call'), 'utf8')}${torn}\n`)
    const { events, warnings } = await readAll(path)
    expect(outline(events)).not.toContain('permission/answered c1')
    expect(warnings).toHaveLength(1)
  })

  it('skips a result without its call, a second result, and what follows a result (B46)', async () => {
    const { events, warnings } = await fixture('orphan-result')
    expect(outline(events)).toEqual(['turn/start', 'user/message', 'tool/call c1', 'tool/result c1', 'turn/end'])
    expect(events[3]).toMatchObject({ content: [{ text: 'first' }] })
    expect(warnings.map(warning => warning.reason)).toEqual([
      'tool/result without its call ghost',
      'tool/progress without its call ghost2',
      'tool/result after the result of call c1',
      'tool/progress after the result of call c1',
    ])
  })

  it('says what a crash left open: each call in order, then the turn (B46)', async () => {
    const { events, closing } = await fixture('open-call')
    expect(outline(events)).toEqual([
      'turn/start',
      'user/message',
      'tool/call c1',
      'tool/running c1',
      'tool/progress c1',
      'tool/start c2',
    ])
    const failed = {
      type: 'tool/result',
      content: [{ type: 'text', text: '[interrupted]' }],
      isError: true,
      error: { name: 'HarnessError', code: 'INTERRUPTED' },
    }
    expect(closing()).toEqual([
      { ...failed, callId: 'c1' },
      { ...failed, callId: 'c2' },
      { type: 'turn/end', turnId: 't1', stopReason: 'cancelled' },
    ])
  })

  it('counts events of unknown types and skips them', async () => {
    const { events, warnings, unknownTypes } = await fixture('unknown-types')
    expect(outline(events)).toEqual(['turn/start', 'user/message', 'assistant/message', 'turn/end'])
    expect(warnings).toEqual([])
    expect([...unknownTypes]).toEqual([
      ['future/thing', 2],
      ['constructor', 1],
    ])
  })

  it('reads CRLF line ends', async () => {
    const { events, warnings } = await fixture('crlf')
    expect(outline(events)).toEqual(['turn/start', 'user/message', 'assistant/message', 'turn/end'])
    expect(warnings).toEqual([])
  })

  it('reads a line longer than what it reads at once, and skips one over the limit', async () => {
    const whole = await fixture('huge-line')
    expect(whole.events[2]).toMatchObject({ arguments: { content: '0123456789abcde\n'.repeat(20000) } })
    expect(whole.warnings).toEqual([])
    const limited = await readAll(logFixture('huge-line'), { maxLineBytes: 1000 })
    expect(outline(limited.events)).toEqual(['turn/start', 'user/message', 'turn/end'])
    expect(limited.warnings[0]).toEqual({ line: lineOf('huge-line', 'tool/call'), reason: 'the line is too long' })
  })

  it('refuses a log of another format version, naming both', async () => {
    const failure = await failureOf(() => fixture('version-2'))
    expect(failure.code).toBe('LOG_FAILED')
    expect(failure.message).toMatch(/version 2.*version 1/)
  })

  it('pieces a lost header together from the file name and what is left of it', async () => {
    const torn = await fixture('torn-header')
    expect(torn.header).toMatchObject({ id: 'torn-header', cwd: '/w/project', roots: ['/w/project'] })
    expect(torn.header.created).toBe('2026-01-01T00:00:00.000Z')
    expect(outline(torn.events)).toEqual(['turn/start', 'user/message', 'turn/end'])
    expect(torn.warnings).toHaveLength(1)
    expect(torn.warnings[0]?.reason).toContain('no header')
  })

  it('takes the given cwd, else the root directory, for a log without a header', async () => {
    const path = logFixture('no-header')
    const given = await readAll(path, { fallbackCwd: '/w/asked' })
    expect(given.header).toMatchObject({ id: 'no-header', cwd: '/w/asked' })
    const alone = await readAll(path)
    expect(alone.header.cwd).toBe(parse(path).root)
    expect(outline(alone.events)).toEqual(['turn/start', 'user/message', 'session/config', 'turn/end'])
    expect(alone.warnings.map(warning => warning.line)).toEqual([1])
  })

  it('says that a log holds nothing, and that there is none', async () => {
    for (const name of ['empty', 'junk']) expect((await failureOf(() => fixture(name))).code).toBe('LOG_FAILED')
    expect((await fixture('header-only')).events).toEqual([])
    const missing = await failureOf(() => readAll(join(tempDirectory(), 'gone.jsonl')))
    expect([missing.code, basename(missing.message)]).toEqual(['SESSION_NOT_FOUND', 'There is no session gone.'])
  })
})
