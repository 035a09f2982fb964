/**
 * Calls foreign code that must not break its caller: a throw, and the rejection of a promise that was not asked for, go to
 * `report`. Undefined after a throw.
 */
export function contain<T>(call: () => T, report: (error: unknown) => void): T | undefined {
  try {
    const value = call()
    if (isThenable(value)) Promise.resolve(value).catch(report)
    return value
  } catch (error) {
    report(error)
    return undefined
  }
}

/** Whether `value` can be waited for; a promise of any make. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Resolves when `promise` has settled, either way, or after `timeoutMs`. */
export async function settledWithin(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>(resolve => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([promise.catch(() => {}), timeout])
  clearTimeout(timer)
}
