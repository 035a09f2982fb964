export type { SessionUpdate } from '@agentclientprotocol/sdk'
export {
  chooseModel,
  createModelSettings,
  type ModelSettings,
  parseModelChoice,
  proveKey,
  providerNames,
  resolveProvider,
} from '../agent/model/provider/index.js'
export { findMissingProgram } from '../mcp/index.js'
export { type LogReading, readLog, SessionStore, stateDirectory } from '../session/index.js'
export { type Fields, type Finding, isFields, toItems, toText } from './check/check-frame.js'
export { checkTranscript, transcriptLines } from './check/check-transcript.js'
export { type TranscriptFrame, type TranscriptLine, TranscriptReader } from './check/read-transcript.js'
export type { Agent } from './connect/serve-agent.js'
export { type AgentOptions, createAgent } from './create-agent.js'
export { createHost } from './host-plugins.js'
export { type ClientProfile, toClientProfile } from './render/profile.js'
export { replayLog } from './sessions/replay-log.js'
export { runSingleCall } from './single-call.js'
export { stdioStream } from './wire/stdio.js'
