export { checkMessages } from './check-messages.js'
