import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { FieldTracker } from '../../src/bridge/send/field-tracker.js'

const call: SessionUpdate = {
  sessionUpdate: 'tool_call',
  toolCallId: 'c',
  title: 'Read',
  kind: 'read',
  status: 'pending',
  locations: [{ path: '/w/a' }],
}
const update = (fields: object): SessionUpdate => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...fields })

describe('a field tracker', () => {
  let problems: string[]
  let tracker: FieldTracker
  beforeEach(() => {
    problems = []
    tracker = new FieldTracker(problem => problems.push(problem))
    tracker.admit(call)
  })

  it('drops what did not change and repeats the status', () => {
    const news = { title: 'Read', kind: 'read', locations: [{ path: '/w/a' }], content: [], status: 'in_progress' }
    expect(tracker.admit(update(news))).toEqual(update({ status: 'in_progress' }))
  })

  it('drops an update with nothing new, and null', () => {
    expect(tracker.admit(update({ title: 'Read', status: 'pending' }))).toBeUndefined()
    expect(tracker.admit(update({ title: null, content: null }))).toBeUndefined()
  })

  it('sends lists whole as soon as they differ', () => {
    const locations = [{ path: '/w/a' }, { path: '/w/b' }]
    expect(tracker.admit(update({ locations }))).toEqual(update({ locations, status: 'pending' }))
    expect(tracker.admit(update({ locations: [] }))).toEqual(update({ locations: [], status: 'pending' }))
  })

  it('never lets a status go back', () => {
    tracker.admit(update({ status: 'in_progress' }))
    expect(tracker.admit(update({ status: 'pending', title: 'x' }))).toEqual(
      update({ status: 'in_progress', title: 'x' }),
    )
  })

  it('sends one final status and nothing after it, and reports what it keeps back (B22, B46)', () => {
    expect(tracker.admit(update({ status: 'failed' }))).toEqual(update({ status: 'failed' }))
    expect(tracker.admit(update({ status: 'completed' }))).toBeUndefined()
    expect(tracker.admit(call)).toBeUndefined()
    expect(tracker.admit({ ...update({}), toolCallId: 'x' } as SessionUpdate)).toBeUndefined()
    expect(problems).toHaveLength(3)
  })

  it('takes note of what a request of permission showed', () => {
    tracker.note({ toolCallId: 'c', title: 'Other' })
    expect(tracker.admit(update({ title: 'Read' }))).toEqual(update({ title: 'Read', status: 'pending' }))
  })

  it('lets other updates pass', () => {
    const plan: SessionUpdate = { sessionUpdate: 'plan', entries: [] }
    expect(tracker.admit(plan)).toBe(plan)
  })
})
