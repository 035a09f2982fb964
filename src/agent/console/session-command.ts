import type { DriverCall, DriverTurn } from '../driver.js'

/** A command about the session. It stands alone in a prompt and is answered with text, or is a call that needs no arguments. */
export type SessionCommand = {
  name: string
  /** One line for the editor's menu. */
  description: string
} & ({ run(turn: DriverTurn): string | Promise<string> } | { call: Pick<DriverCall, 'name' | 'arguments'> })
