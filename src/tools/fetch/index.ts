export { apply, type FetchConfig, inject, name } from './fetch.js'
