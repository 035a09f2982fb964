import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HarnessError } from '../../cards/index.js'
import { holdFile } from './hold-file.js'
import { formatAnswers, type ProjectAnswer, parseAnswers, type StoredAnswer } from './remembered-shape.js'
import { isSameAnswer } from './verdict.js'

const MAX_FILE_BYTES = 1024 * 1024
const MAX_ANSWERS = 1000

/**
 * What the user allowed for good, by project, in one file of the state directory that only its owner can read. A file that is
 * damaged, or that others can write, counts as no answers and is reported. Several processes may use one file.
 */
export class RememberedAnswers {
  /** Absolute. */
  readonly path: string
  #writing: Promise<unknown> = Promise.resolve()
  #reported = ''

  constructor(
    stateDir: string,
    private readonly report: (problem: string) => void = () => {},
  ) {
    this.path = join(stateDir, 'permissions.json')
  }

  /** All answers, oldest first, as the file has them now. Never rejects. */
  async list(): Promise<StoredAnswer[]> {
    const { answers, problem = '' } = this.#read()
    // Once per state of the file: it is looked at for each question.
    if (problem !== this.#reported) {
      this.#reported = problem
      if (problem) this.report(problem)
    }
    return answers
  }

  /** What is remembered for one project; its real root is asked for only if anything is remembered. Rejects as that does. */
  async of(toProject: () => Promise<string>): Promise<ProjectAnswer[]> {
    const answers = await this.list()
    if (answers.length === 0) return []
    const project = await toProject()
    return answers.filter(stored => stored.project === project).map(({ answer }) => answer)
  }

  /** Adds an answer and returns it; the one that is there already if there is one. Throws STATE_DIR_FAILED. */
  add(project: string, answer: ProjectAnswer): Promise<StoredAnswer> {
    return this.#alone(async () => {
      const { answers, isDamaged } = this.#read()
      const known = answers.find(item => item.project === project && isSameAnswer(item.answer, answer))
      if (known) return known
      if (answers.length >= MAX_ANSWERS) {
        throw new HarnessError('STATE_DIR_FAILED', `${this.path} holds ${MAX_ANSWERS} answers already; remove some.`)
      }
      const stored = { id: newId(answers), project, since: new Date().toISOString(), answer }
      await this.#write([...answers, stored], isDamaged)
      return stored
    })
  }

  /** Removes an answer by its id; undefined if there is none. Throws STATE_DIR_FAILED. */
  remove(id: string): Promise<StoredAnswer | undefined> {
    return this.#alone(async () => {
      const { answers } = this.#read()
      const found = answers.find(item => item.id === id)
      if (found)
        await this.#write(
          answers.filter(item => item !== found),
          false,
        )
      return found
    })
  }

  // At once: it is looked at for each call, and is small.
  #read(): { answers: StoredAnswer[]; problem?: string; isDamaged: boolean } {
    const none = (problem: string) => ({
      answers: [],
      problem: `${this.path} ${problem}; nothing that was remembered counts.`,
      isDamaged: true,
    })
    try {
      const found = statSync(this.path, { throwIfNoEntry: false })
      if (found === undefined) return { answers: [], isDamaged: false }
      if (!found.isFile()) return none('is no regular file')
      if (found.size > MAX_FILE_BYTES) return none('is too large')
      if (isWritableByOthers(found)) return none('can be written by others')
      const parsed = parseAnswers(readFileSync(this.path, 'utf8'))
      if (!parsed) return none('is damaged')
      const { answers, faulty } = parsed
      if (faulty === 0) return { answers, isDamaged: false }
      const problem = `${this.path}: ${faulty} of its answers cannot be read and do not count.`
      return { answers, problem, isDamaged: true }
    } catch (error) {
      if (isMissing(error)) return { answers: [], isDamaged: false }
      return none(`cannot be read (${errorCode(error)})`)
    }
  }

  async #hold(): Promise<() => Promise<void>> {
    let release: (() => Promise<void>) | undefined
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
      release = await holdFile(this.path)
    } catch (cause) {
      throw new HarnessError('STATE_DIR_FAILED', `${this.path} cannot be written (${errorCode(cause)}).`, { cause })
    }
    if (release) return release
    throw new HarnessError('STATE_DIR_FAILED', `${this.path} is held by another process; ${this.path}.lock says so.`)
  }

  async #write(answers: readonly StoredAnswer[], isDamaged: boolean): Promise<void> {
    const temporary = `${this.path}.${randomBytes(4).toString('hex')}.tmp`
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(formatAnswers(answers))
        await file.sync()
      } finally {
        await file.close()
      }
      // What could not be read is kept aside for its owner.
      if (isDamaged) await rename(this.path, `${this.path}.damaged`)
      await rename(temporary, this.path)
    } catch (cause) {
      await rm(temporary, { force: true }).catch(() => {})
      const reason = errorCode(cause)
      throw new HarnessError('STATE_DIR_FAILED', `${this.path} cannot be written (${reason}).`, { cause })
    }
  }

  /** One change at a time, of this process and of others: each is made to what the one before it has written. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#writing.then(async () => {
      const release = await this.#hold()
      try {
        return await work()
      } finally {
        await release()
      }
    })
    this.#writing = run.catch(() => {})
    return run
  }
}

function newId(answers: readonly StoredAnswer[]): string {
  for (;;) {
    const id = randomBytes(3).toString('hex')
    if (!answers.some(item => item.id === id)) return id
  }
}

function isWritableByOthers(found: { mode: number; uid: number }): boolean {
  // Windows has no such bits; the state directory there belongs to the user's profile.
  if (process.platform === 'win32') return false
  return (found.mode & 0o022) !== 0 || found.uid !== process.getuid?.()
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR'
}

function errorCode(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code)
  return 'it failed'
}
