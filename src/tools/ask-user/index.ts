export { apply, inject, name } from './ask-user.js'
