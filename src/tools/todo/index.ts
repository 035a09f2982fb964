export { apply, inject, name } from './todo.js'
