export { apply, inject, name } from './glob.js'
