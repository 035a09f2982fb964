import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { DriverCommand } from '../agent/index.js'

const RESEND_MS = 1000

/** The slash menu of one session: sent when it differs from what was sent last, at most once a second. */
export class CommandMenu {
  #sent = ''
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly list: () => DriverCommand[],
    private readonly send: (commands: AvailableCommand[]) => void,
  ) {}

  /** Sends now, whatever was sent before. */
  advertise(): void {
    this.#sent = ''
    this.#sendChanged()
  }

  /** The tools have changed; many changes make one message. */
  changed(): void {
    if (this.#sent === '') return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#sendChanged()
    }, RESEND_MS).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#sent = ''
  }

  #sendChanged(): void {
    const commands = this.list().map(toAvailableCommand)
    const text = JSON.stringify(commands)
    if (text === this.#sent) return
    this.#sent = text
    this.send(commands)
  }
}

function toAvailableCommand({ name, description, hint }: DriverCommand): AvailableCommand {
  return { name, description, ...(hint === undefined ? {} : { input: { hint } }) }
}
