import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { DriverCommand } from '../../agent/index.js'

const RESEND_MS = 1000
const NOTHING = ''

type Listed = DriverCommand[] | PromiseLike<DriverCommand[]>

/** The slash menu of one session: sent when it differs from what was sent last, at most once a second. */
export class CommandMenu {
  /** Undefined before the first time. */
  #sent: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(
    private readonly list: () => Listed,
    private readonly send: (commands: AvailableCommand[]) => void,
  ) {}

  /** Sends now, whatever was sent before. */
  advertise(): void {
    this.#sent = NOTHING
    this.#show()
  }

  /** The tools have changed; many changes make one message. */
  changed(): void {
    if (this.#sent === undefined) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#show()
    }, RESEND_MS).unref()
  }

  /** What the driver offers may have changed: sends it if so. */
  refresh(): void {
    if (this.#sent !== undefined) this.#show()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#isClosed = true
  }

  #show(): void {
    const listed = this.list()
    if (!('then' in listed)) this.#sendChanged(listed)
    // What cannot be listed is not offered; the next change tries again.
    else
      listed.then(
        list => this.#sendChanged(list),
        () => {},
      )
  }

  #sendChanged(list: readonly DriverCommand[]): void {
    if (this.#isClosed) return
    const commands = list.map(toAvailableCommand)
    const text = JSON.stringify(commands)
    if (text === this.#sent) return
    this.#sent = text
    this.send(commands)
  }
}

function toAvailableCommand({ name, description, hint }: DriverCommand): AvailableCommand {
  return { name, description, ...(hint === undefined ? {} : { input: { hint } }) }
}
