/** A part of the program that is loaded when it is first needed, or while nobody waits. */
export interface LateModule<T> {
  /** At once when it is there. */
  get(): T | Promise<T>
  /** Loads it for later. Never rejects: what fails is told by `get`. */
  warm(): Promise<void>
}

/** Keeps what `load` resolves with; a load that fails is tried again. */
export function lateModule<T extends object>(load: () => Promise<T>): LateModule<T> {
  let kept: T | Promise<T> | undefined
  const get = () => {
    kept ??= load().then(
      loaded => {
        kept = loaded
        return loaded
      },
      error => {
        kept = undefined
        throw error
      },
    )
    return kept
  }
  const warm = async () => {
    try {
      await get()
    } catch {}
  }
  return { get, warm }
}
