import { afterAll, beforeAll, expect } from 'vitest'

// Any process warning fails the run: a leaked listener or an unhandled rejection is a fault, not noise.
const warnings: string[] = []
const record = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`)

beforeAll(() => {
  process.on('warning', record)
})

afterAll(() => {
  process.off('warning', record)
  expect(warnings).toEqual([])
})
