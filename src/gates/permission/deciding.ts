export { loadParser } from './command/read-command.js'
export { decideCall } from './decide-call.js'
