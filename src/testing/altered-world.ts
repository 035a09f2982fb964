const SHIFT_MS = 400 * 24 * 3600 * 1000

export interface WorldAnswer<T> {
  value?: T
  threw?: unknown
  /** What was asked of the world: clock, chance, environment, working directory. */
  asked: string[]
}

/**
 * Calls `body`, which must be synchronous, and notes what it asks of the world around it. An altered world gives other answers:
 * another day, other chances, another environment and working directory. `node:os` and `node:fs` answer as ever.
 */
export function inWorld<T>(altered: boolean, body: () => T): WorldAnswer<T> {
  const asked = new Set<string>()
  const undo = [
    replace(globalThis, 'Date', toDate(altered, asked)),
    replace(
      Math,
      'random',
      noting(asked, 'Math.random', Math.random, () => 0.123),
    ),
    replace(
      performance,
      'now',
      noting(asked, 'performance.now', performance.now.bind(performance), now => now + SHIFT_MS),
    ),
    replace(
      process,
      'cwd',
      noting(asked, 'process.cwd', process.cwd.bind(process), cwd => `${cwd}-elsewhere`),
    ),
    replace(process, 'env', toEnvironment(altered, asked)),
  ]
  try {
    return { value: body(), asked: [...asked] }
  } catch (threw) {
    return { threw, asked: [...asked] }
  } finally {
    for (const restore of undo) restore()
  }

  function noting<V>(into: Set<string>, name: string, real: () => V, alter: (value: V) => V): () => V {
    return () => {
      into.add(name)
      return altered ? alter(real()) : real()
    }
  }
}

function toDate(altered: boolean, asked: Set<string>): DateConstructor {
  const now = () => {
    asked.add('the clock')
    return RealDate.now() + (altered ? SHIFT_MS : 0)
  }
  return new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  })
}

const RealDate = Date

function toEnvironment(altered: boolean, asked: Set<string>): NodeJS.ProcessEnv {
  return new Proxy(process.env, {
    get(target, key) {
      if (typeof key !== 'string') return Reflect.get(target, key)
      asked.add(`process.env.${key}`)
      return altered ? 'elsewhere' : target[key]
    },
  })
}

function replace<T extends object, K extends keyof T>(owner: T, key: K, value: T[K]): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, key)
  Object.defineProperty(owner, key, { value, configurable: true, writable: true, enumerable: own?.enumerable ?? true })
  return () => {
    if (own) Object.defineProperty(owner, key, own)
    else delete owner[key]
  }
}
