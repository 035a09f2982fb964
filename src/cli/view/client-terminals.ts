import { type Fields, isFields, toText } from '../../bridge/index.js'
import { headAndTail } from '../../cards/index.js'
import { type ClientTerminal, toExit } from '../fold/client-terminal.js'

const MAX_TERMINALS = 200
const MAX_OUTPUT_BYTES = 256 * 1024

/** The terminals that a client runs for an agent, as far as its answers tell of them. */
export class ClientTerminals {
  readonly byId = new Map<string, ClientTerminal>()

  /** Takes note of the client's answer to a request of the agent. */
  answered(method: string, params: Fields, result: Fields): void {
    if (method === 'terminal/create') this.#create(params, result)
    const id = toText(params.terminalId)
    const terminal = id === undefined ? undefined : this.byId.get(id)
    if (!terminal) return
    if (method === 'terminal/output') {
      terminal.output = headAndTail(toText(result.output) ?? '', MAX_OUTPUT_BYTES)
      if (isFields(result.exitStatus)) terminal.exit = toExit(result.exitStatus.exitCode, result.exitStatus.signal)
    }
    if (method === 'terminal/wait_for_exit') terminal.exit = toExit(result.exitCode, result.signal)
  }

  #create(params: Fields, result: Fields): void {
    const id = toText(result.terminalId)
    if (id === undefined) return
    const cwd = toText(params.cwd)
    this.byId.set(id, { output: '', ...(cwd === undefined ? {} : { cwd }) })
    const [oldest] = this.byId.keys()
    if (this.byId.size > MAX_TERMINALS && oldest !== undefined) this.byId.delete(oldest)
  }
}
