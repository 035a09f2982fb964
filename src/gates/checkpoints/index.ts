export { apply, type CheckpointsConfig, inject, name } from './checkpoints.js'
export { undoCommand } from './undo.js'
