export { apply, inject, name } from './grep.js'
