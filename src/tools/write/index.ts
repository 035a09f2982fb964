export { apply, inject, name } from './write.js'
