export { apply, inject, name, type TimeoutOptions } from './timeout.js'
