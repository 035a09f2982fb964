export { apply, type BashConfig, inject, name } from './bash.js'
