export { parseCommandPattern } from './command-pattern.js'
export { type Config, defaultConfig, type HookConfig } from './config.js'
export { type LoadedConfig, loadConfig } from './load-config.js'
export { type ConfigProblem, describeProblem } from './problem.js'
