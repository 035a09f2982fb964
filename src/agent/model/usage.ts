import type { History } from '../../session/index.js'
import type { DriverStep } from '../driver.js'
import type { Model, ModelPrice, ModelUsage } from './provider/index.js'

type UsageStep = Extract<DriverStep, { type: 'usage' }>

/** What a request took, for the session's count; undefined if the provider did not say. */
export function toUsageStep(usage: ModelUsage, model: Model, history: History): UsageStep | undefined {
  const { contextSize, price } = model
  if (usage.input === undefined) return undefined
  const cost = price && (history.cost ?? 0) + toCost(usage, price)
  return {
    type: 'usage',
    used: usage.input + (usage.output ?? 0),
    ...(contextSize === undefined ? {} : { size: contextSize }),
    ...(cost === undefined ? {} : { cost }),
  }
}

/** In US dollars. */
function toCost({ input = 0, output = 0, cacheRead = 0, cacheWrite = 0 }: ModelUsage, price: ModelPrice): number {
  const fresh = Math.max(0, input - cacheRead - cacheWrite)
  const { cacheRead: readPrice = price.input, cacheWrite: writePrice = price.input } = price
  return (fresh * price.input + output * price.output + cacheRead * readPrice + cacheWrite * writePrice) / 1_000_000
}
