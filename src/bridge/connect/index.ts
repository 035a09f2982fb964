// What a client's first answer needs, and nothing else: an editor waits for it at each start.
export { stateDirectory } from '../../session/state-dir.js'
export { stdioStream } from '../wire/stdio.js'
export type { AgentHost } from './late-host.js'
export { loadMessageSchemas } from './message-schemas.js'
export { type ClientLink, serveAgent } from './serve-agent.js'
