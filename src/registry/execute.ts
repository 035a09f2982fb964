import type { Context } from 'cordis'
import { HarnessError } from '../cards/index.js'
import { checkArguments, parseArguments } from './arguments.js'
import { Call, type CallHost } from './call.js'
import { shorten } from './describe-value.js'
import { failedResult } from './failure.js'
import type { ToolTable } from './tool-table.js'
import type { ToolExecution, ToolExecutionResult } from './types.js'

const MAX_NAMES = 30

/**
 * Makes the registry's execute, on the registry's own context: what a caller holds is a proxy, and each look through it costs
 * more than a listener does.
 */
export function createExecute(
  ctx: Context,
  table: ToolTable,
  abortGraceMs: number,
): (exec: ToolExecution) => Promise<ToolExecutionResult> {
  const { waterfall, get } = ctx

  function toHost(name: string, sessionId: string | undefined): CallHost {
    return {
      waterfall: (active, body) => waterfall('tools/execute', active, body),
      isRegistered: definition => table.find(name, sessionId)?.definition === definition,
      findLauncher: () => get('launcher'),
      warn: problem => ctx.logger('tools').warn('%s', `${name}: ${problem}`),
      abortGraceMs,
    }
  }

  return async exec => {
    try {
      const sessionId = exec.agent?.sessionId
      const definition = table.find(exec.name, sessionId)?.definition
      if (definition === undefined)
        throw unknownTool(
          exec.name,
          table.list(sessionId).map(({ schema }) => schema.name),
        )
      const args = parseArguments(exec.arguments)
      checkArguments(definition, args)
      return await new Call(definition, exec, args, toHost(exec.name, sessionId)).run()
    } catch (error) {
      return failedResult(exec.callId, error, 'INVALID_ARGS')
    }
  }
}

function unknownTool(name: unknown, known: string[]): HarnessError {
  const names = known.slice(0, MAX_NAMES).join(', ') + (known.length > MAX_NAMES ? ', …' : '')
  const list = known.length === 0 ? 'No tools are registered.' : `Tools: ${names}.`
  return new HarnessError('UNKNOWN_TOOL', `No tool is named ${shorten(String(name), 128)}. ${list}`)
}
