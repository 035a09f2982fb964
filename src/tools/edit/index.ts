export { apply, inject, name } from './edit.js'
