import type { JsonValue } from '../../cards/index.js'

/** Longer values say nothing of where a call goes: they are skipped, and never held. */
const MAX_VALUE_CHARS = 4096

type Place = 'start' | 'before-key' | 'key' | 'colon' | 'before-value' | 'value' | 'after-value' | 'end'

/**
 * The top-level keys of a JSON object that comes in pieces, each as soon as its value is complete. Looks at every character
 * once; malformed text ends it and is no error.
 */
export class PartialObject {
  readonly #values = new Map<string, JsonValue>()
  #place: Place = 'start'
  /** Text of the key or the value that is being read; undefined once it is too long. */
  #raw: string | undefined = ''
  #key = ''
  #depth = 0
  #inString = false
  #isEscaped = false

  /** Takes the next piece; true if it completed a value. */
  push(piece: string): boolean {
    const before = this.#values.size
    for (let at = 0; at < piece.length && this.#place !== 'end'; at++) this.#take(piece.charAt(at))
    return this.#values.size > before
  }

  /** What is complete so far. */
  toObject(): { [key: string]: JsonValue } {
    return Object.fromEntries(this.#values)
  }

  #take(char: string): void {
    const isInside = this.#place === 'key' || this.#place === 'value'
    if (!isInside && isBlank(char)) return
    switch (this.#place) {
      case 'key':
        this.#takeInKey(char)
        break
      case 'value':
        this.#takeInValue(char)
        break
      case 'start':
        this.#place = char === '{' ? 'before-key' : 'end'
        break
      case 'before-key':
        this.#raw = char
        this.#isEscaped = false
        this.#place = char === '"' ? 'key' : 'end'
        break
      case 'colon':
        this.#place = char === ':' ? 'before-value' : 'end'
        break
      case 'before-value':
        this.#raw = ''
        this.#depth = 0
        this.#inString = false
        this.#place = 'value'
        this.#takeInValue(char)
        break
      default:
        this.#place = char === ',' ? 'before-key' : 'end'
    }
  }

  #takeInKey(char: string): void {
    this.#add(char)
    if (this.#isEscaped) this.#isEscaped = false
    else if (char === '\\') this.#isEscaped = true
    else if (char === '"') {
      const key = parse(this.#raw)
      this.#key = typeof key === 'string' ? key : ''
      this.#place = typeof key === 'string' ? 'colon' : 'end'
    }
  }

  #takeInValue(char: string): void {
    if (this.#inString) this.#takeInString(char)
    else if (this.#depth === 0 && (char === ',' || char === '}' || isBlank(char))) {
      this.#complete(char === ',' ? 'before-key' : char === '}' ? 'end' : 'after-value')
    } else {
      this.#add(char)
      if (char === '"') this.#inString = true
      else if (char === '{' || char === '[') this.#depth++
      else if (char === '}' || char === ']') {
        this.#depth--
        if (this.#depth <= 0) this.#complete('after-value')
      }
    }
  }

  #takeInString(char: string): void {
    this.#add(char)
    if (this.#isEscaped) this.#isEscaped = false
    else if (char === '\\') this.#isEscaped = true
    else if (char === '"') {
      this.#inString = false
      if (this.#depth === 0) this.#complete('after-value')
    }
  }

  #add(char: string): void {
    if (this.#raw === undefined) return
    this.#raw = this.#raw.length < MAX_VALUE_CHARS ? this.#raw + char : undefined
  }

  #complete(next: Place): void {
    this.#place = next
    if (this.#raw === undefined) return
    const value = parse(this.#raw)
    if (value === undefined) this.#place = 'end'
    else this.#values.set(this.#key, value)
  }
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r'
}

function parse(raw: string | undefined): JsonValue | undefined {
  try {
    return raw === undefined ? undefined : (JSON.parse(raw) as JsonValue)
  } catch {
    return undefined
  }
}
