import type { Environment } from './environment.js'
import { openHost } from './open-host.js'
import { print, printJson } from './print.js'

/** `deckhand tools`: those that there are; 1 if there could be more, since something of a plugin failed. */
export async function runTools(
  environment: Environment,
  { json, plugin }: { json?: boolean; plugin?: readonly string[] },
): Promise<number> {
  const host = await openHost(environment, plugin)
  const schemas = host.ctx.tools.schemas()
  if (json) printJson(schemas, 2)
  else {
    const width = Math.max(...schemas.map(({ name }) => name.length))
    for (const { name, description } of schemas) print(`${name.padEnd(width)}  ${description.split('\n')[0]}`)
  }
  const isComplete = host.userPlugins.reports.every(({ problems }) => problems.length === 0)
  await host.close()
  return isComplete ? 0 : 1
}
