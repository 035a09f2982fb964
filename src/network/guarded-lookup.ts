import * as dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { HarnessError } from '../cards/index.js'
import { isPublicAddress } from './public-address.js'

/** Resolves a name to its public addresses only, for the connection that is then made to one of them. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const open = addresses.filter(({ address }) => isPublicAddress(address))
    const [first] = open
    if (!first) return callback(refusal(hostname), [])
    if (options.all) callback(null, open)
    else callback(null, first.address, first.family)
  })
}

/**
 * Throws ADDRESS_REFUSED for a host that is an address and not a public one: no connection looks that up. With `resolve` a name is
 * looked up here, because a proxy does that later; a name that only the proxy knows is its affair.
 */
export async function checkPublicHost({ hostname }: URL, resolve: boolean): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) {
    if (isPublicAddress(host)) return
    throw refusal(host)
  }
  if (!resolve) return
  const addresses = await dns.promises.lookup(host, { all: true }).catch(() => [])
  if (addresses.some(({ address }) => !isPublicAddress(address))) throw refusal(host)
}

function refusal(host: string): HarnessError {
  return new HarnessError('ADDRESS_REFUSED', `${host} is an address of this machine or of a private network.`)
}
