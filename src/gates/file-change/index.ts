export { apply, type FileChangeConfig, inject, name } from './file-change.js'
