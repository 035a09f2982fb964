export { createFetch, type Fetch } from './create-fetch.js'
