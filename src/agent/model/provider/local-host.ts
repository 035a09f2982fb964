import { isIP } from 'node:net'

/** True for an address on this machine or in a private network: a model that the user runs. */
export function isLocalHost(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 6) return host === '::1' || /^f[cd]|^fe80/i.test(host)
  if (isIP(host) === 4) return /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(host)
  return host === 'localhost' || /\.(localhost|local|internal|lan)$/.test(host) || !host.includes('.')
}
