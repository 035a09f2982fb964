export { createFetch, type Fetch, type NetworkOptions } from './create-fetch.js'
