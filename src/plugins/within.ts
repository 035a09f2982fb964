import { HarnessError } from '../cards/index.js'

/** The value of `promise`; PLUGIN_FAILED with `what` and the time if it has not settled by then. */
export async function within<T>(promise: PromiseLike<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    const late = () => reject(new HarnessError('PLUGIN_FAILED', `${what} after ${limitMs / 1000} s`))
    timer = setTimeout(late, limitMs)
  })
  try {
    return await Promise.race([promise, limit])
  } finally {
    clearTimeout(timer)
  }
}
