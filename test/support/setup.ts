import { afterAll, beforeAll, expect, vi } from 'vitest'

// Any process warning fails the run: a leaked listener or an unhandled rejection is a fault, not noise.
const warnings: string[] = []
const record = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`)

// The next file runs in this process too: it finds it as this one did.
const snapshot = () => ({ env: { ...process.env }, cwd: process.cwd(), argv: [...process.argv] })
let before: ReturnType<typeof snapshot>

beforeAll(() => {
  before = snapshot()
  process.on('warning', record)
})

afterAll(() => {
  process.off('warning', record)
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  expect(warnings).toEqual([])
  expect(snapshot()).toEqual(before)
})
