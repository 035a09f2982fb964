import type { DriverTurn } from '../driver.js'

/** A command about the session, not a tool call. It stands alone in a prompt and is answered with text. */
export interface SessionCommand {
  name: string
  /** One line for the editor's menu. */
  description: string
  run(turn: DriverTurn): string | Promise<string>
}
