import { createHost } from '../bridge/index.js'
import { type Environment, toHostSettings } from './environment.js'
import { logTo } from './log-file.js'
import { print } from './print.js'

/** `deckhand tools`. */
export async function runTools(environment: Environment, { json }: { json?: boolean }): Promise<number> {
  const host = createHost([], logTo(environment), toHostSettings(environment))
  await host.ready
  const schemas = host.ctx.tools.schemas()
  if (json) print(JSON.stringify(schemas, null, 2))
  else {
    const width = Math.max(...schemas.map(({ name }) => name.length))
    for (const { name, description } of schemas) print(`${name.padEnd(width)}  ${description.split('\n')[0]}`)
  }
  await host.close()
  return 0
}
