export { apply, inject, name } from './job.js'
