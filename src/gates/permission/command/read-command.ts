import type { Command, Script, SyntaxNode } from 'unbash'
import { findCode } from './find-code.js'
import { findInner } from './find-inner.js'
import { findPartObstacles } from './part-obstacles.js'
import type { InnerPart, Obstacle, Part, Reading } from './reading.js'
import { obstacleOf } from './syntax-obstacles.js'
import { findTextObstacles } from './text-obstacles.js'
import { type CommandWord, toCommandWord } from './word.js'

// The parser's time grows with the square of what is nested: within these bounds it is some milliseconds at most.
const MAX_LENGTH = 16 * 1024
const MAX_OPENERS = 100
/** Openers times length: what the parser may have to go over again. */
const MAX_WORK = 400_000
/** Of the line and of all texts in it that are code. */
const MAX_TOTAL_LENGTH = 4 * MAX_LENGTH
/** More than anybody looks through before answering. */
const MAX_PARTS = 200
const MAX_NODES = 4000
/** Of text handed to a shell that hands text to a shell, and of commands that start commands. */
const MAX_DEPTH = 8

const UNREADABLE = 'it cannot be read as shell code for certain'
const TOO_MANY = 'it has too many parts to be looked through'
const TOO_DEEP = 'it is nested too deeply to be looked through'

/** Each decision on a call reads its command several times. */
const recent = new Map<string, Promise<Reading>>()
const MAX_RECENT = 8

/** Reads a command line, and the text in it that it hands to other shells. Never rejects. */
export function readCommand(text: string): Promise<Reading> {
  const before = recent.get(text)
  if (before !== undefined) return before
  const reading = read(text)
  recent.set(text, reading)
  for (const oldest of recent.keys()) if (recent.size > MAX_RECENT) recent.delete(oldest)
  return reading
}

/** Loads the parser before the first command. */
export async function loadParser(): Promise<void> {
  await import('unbash')
}

async function read(text: string): Promise<Reading> {
  const reader = new CommandReader(await import('unbash'))
  reader.readText(text, 0)
  const { parts, obstacles, wordObstacles, isUncertain, beginsWithCd } = reader
  return { parts, obstacles: [...obstacles, ...wordObstacles], isUncertain, beginsWithCd }
}

class CommandReader {
  readonly parts: Part[] = []
  /** Of the syntax first: they say more than what the words then lack. */
  readonly obstacles = new Set<Obstacle>()
  readonly wordObstacles = new Set<Obstacle>()
  isUncertain = false
  beginsWithCd = false
  readonly #unbash: Pick<typeof import('unbash'), 'parse' | 'forEachChild'>
  #budget = MAX_TOTAL_LENGTH
  #partCount = 0
  #nodeCount = 0

  constructor(unbash: Pick<typeof import('unbash'), 'parse' | 'forEachChild'>) {
    this.#unbash = unbash
  }

  readText(code: string, depth: number): void {
    this.#note(findTextObstacles(code))
    this.#budget -= code.length
    if (code.length > MAX_LENGTH || this.#budget < 0) this.#fail('it is too long to be looked through')
    else if (depth > MAX_DEPTH || isNestedDeeply(code)) this.#fail(TOO_DEEP)
    else {
      try {
        const script = this.#unbash.parse(code)
        if (depth === 0) this.beginsWithCd = isCdChain(script)
        this.#readNodes(script, depth)
      } catch {
        this.#fail(UNREADABLE)
      }
    }
  }

  #readNodes(script: Script, depth: number): void {
    const pending: SyntaxNode[] = [script]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (++this.#nodeCount > MAX_NODES || this.#partCount > MAX_PARTS) {
        this.#fail(TOO_MANY)
        return
      }
      if ('errors' in node && node.errors?.length) this.#fail(UNREADABLE)
      const obstacle = obstacleOf(node)
      if (obstacle === 'unreadable') this.#fail(UNREADABLE)
      else if (obstacle) this.#note([obstacle])
      if (node.type === 'Command' && node.name) {
        const words = [node.name, ...node.args].map(toCommandWord)
        this.parts.push(this.#toPart(words, readInput(node.redirects), depth))
      }
      const children: SyntaxNode[] = []
      this.#unbash.forEachChild(node, child => children.push(child))
      for (const child of children.reverse()) pending.push(child)
    }
  }

  #toPart(words: readonly CommandWord[], input: Input, depth: number): Part {
    this.#partCount++
    const { reads, texts, hasUnknownInput } = input
    const code = findCode(words, texts)
    const wrapped = findInner(words)
    this.#note([...code.obstacles, ...wrapped.obstacles])
    for (const obstacle of findPartObstacles(words)) this.wordObstacles.add(obstacle)
    for (const text of code.texts) this.readText(text, depth + 1)
    const inner: InnerPart[] = []
    if (depth > MAX_DEPTH) this.#fail(TOO_DEEP)
    else if (this.#partCount + wrapped.inner.length > MAX_PARTS) this.#fail(TOO_MANY)
    else {
      for (const { at, words: own } of wrapped.inner) {
        inner.push({ at, part: this.#toPart(own, { ...input, reads: [] }, depth + 1) })
      }
    }
    return { words, reads, hasUnknownInput, inner }
  }

  #note(obstacles: readonly Obstacle[]): void {
    for (const obstacle of obstacles) this.obstacles.add(obstacle)
  }

  #fail(obstacle: Obstacle): void {
    this.isUncertain = true
    this.obstacles.add(obstacle)
  }
}

interface Input {
  reads: readonly CommandWord[]
  /** The known text of here-documents and here-strings. */
  texts: readonly string[]
  hasUnknownInput: boolean
}

function readInput(redirects: Command['redirects']): Input {
  const reads: CommandWord[] = []
  const texts: string[] = []
  let hasUnknownInput = false
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      texts.push(redirect.body.text)
      if (redirect.body.parts?.some(part => part.type !== 'Literal')) hasUnknownInput = true
    } else if (redirect.target) {
      const word = toCommandWord(redirect.target)
      if (redirect.type === 'Redirect') {
        if (redirect.operator === '<') reads.push(word)
      } else if (word.value === undefined) hasUnknownInput = true
      else texts.push(word.value)
    }
  }
  return { reads, texts, hasUnknownInput }
}

function isCdChain({ commands: [only, ...others] }: Script): boolean {
  if (only?.command.type !== 'AndOr' || others.length > 0 || only.background) return false
  const { commands, operators } = only.command
  const [first] = commands
  return first?.type === 'Command' && first.name?.value === 'cd' && operators.every(operator => operator === '&&')
}

function isNestedDeeply(code: string): boolean {
  const openers = code.match(/[$<>]\(|<<|\$\{|`|\(\(/g)?.length ?? 0
  return openers > MAX_OPENERS || openers * code.length > MAX_WORK
}
