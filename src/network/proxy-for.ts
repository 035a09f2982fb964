import { BlockList, isIP, isIPv6 } from 'node:net'
import { HarnessError } from '../cards/index.js'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy that a request to `url` goes through; undefined if it goes directly. Throws PROXY_INVALID for a proxy that is
 * no http or https address.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const value = read(env, name)
  if (value === undefined || isLoopback(hostOf(url)) || isExcluded(url, read(env, 'NO_PROXY'))) return undefined
  const proxy = parse(value.includes('://') ? value : `http://${value}`)
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol)) {
    throw new HarnessError('PROXY_INVALID', `${name} must be an http or https address, as http://proxy.example:3128.`)
  }
  return proxy
}

function read(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined
}

function parse(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined
}

/** The host without the brackets of an IPv6 address and without a final dot. */
function hostOf({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIP(host) === 4 && /^127\./.test(host))
  )
}

function isExcluded(url: URL, list: string | undefined): boolean {
  if (list === undefined) return false
  const host = hostOf(url)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some(entry => entry === '*' || matches(entry, host, port))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry.includes('/')) return isInNetwork(host, entry)
  const bare = entry.replace(/^\[(.*)\]/, '$1')
  if (isIP(bare)) return bare === host
  const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(bare) ?? []
  if (wantedPort !== undefined && wantedPort !== port) return false
  // example.com, .example.com and *.example.com all stand for the name and what is below it.
  const suffix = name.replace(/^\*?\./, '')
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`))
}

function isInNetwork(host: string, entry: string): boolean {
  const [network = '', bits = ''] = entry.split('/')
  if (!isIP(host) || !isIP(network) || !/^\d{1,3}$/.test(bits)) return false
  const [family, most] = isIPv6(network) ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
  if (Number(bits) > most) return false
  const list = new BlockList()
  list.addSubnet(network, Number(bits), family)
  return list.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}
