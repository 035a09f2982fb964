export { apply, inject, name } from './read.js'
