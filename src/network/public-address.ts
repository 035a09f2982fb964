import { BlockList, isIP } from 'node:net'

/** Networks of IPv4 that are not the public internet: this machine, private, shared, link-local, test, multicast, reserved. */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** The one block of IPv6 that is given out for public use, and what in it is not. */
const PUBLIC_IPV6 = ['2000::/3']
const CLOSED_IPV6 = ['2001::/23', '2001:db8::/32', '3fff::/20']
/** Blocks that carry an IPv4 address: mapped and translated in the last four bytes, 6to4 behind the first two. */
const WITH_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96']
const SIX_TO_FOUR = ['2002::/16']

const closedIpv4 = toList(CLOSED_IPV4, 'ipv4')
const publicIpv6 = toList(PUBLIC_IPV6, 'ipv6')
const closedIpv6 = toList(CLOSED_IPV6, 'ipv6')
const withIpv4 = toList(WITH_IPV4, 'ipv6')
const sixToFour = toList(SIX_TO_FOUR, 'ipv6')

/** True for an address of the public internet. False for all others, and for what is no IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closedIpv4.check(address, 'ipv4')
  // A zone makes sense on a link only.
  if (family !== 6 || address.includes('%')) return false
  if (withIpv4.check(address, 'ipv6')) return isPublicAddress(toIpv4(toGroups(address).slice(6)))
  if (sixToFour.check(address, 'ipv6')) return isPublicAddress(toIpv4(toGroups(address).slice(1, 3)))
  return publicIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6')
}

function toList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** The eight groups of an IPv6 address, as numbers. */
function toGroups(address: string): number[] {
  // The platform's spelling has no dots; a run of zeros may still be missing.
  const spelled = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail = ''] = spelled.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map(group => Number.parseInt(group, 16))
}

function toIpv4([high = 0, low = 0]: number[]): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
