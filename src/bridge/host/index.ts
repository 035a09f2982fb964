// What an agent's sessions need, and nothing else: an editor that reopens a thread waits for it.
export { parseModelChoice } from '../../agent/model/provider/index.js'
export { openAgentHost } from '../agent-host.js'
export type { HostSettings } from '../host-plugins.js'
