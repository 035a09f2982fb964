/** True for an address on this machine or in a private network: a model that the user runs. */
export function isLocalHost(url: string): boolean {
  // As the URL has it: an address of the older kind in four numbers, one of the newer kind in brackets.
  const host = new URL(url).hostname
  if (host.startsWith('[')) return host === '[::1]' || /^\[(f[cd]|fe80)/i.test(host)
  if (/^\d+(\.\d+){3}$/.test(host)) return /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(host)
  return host === 'localhost' || /\.(localhost|local|internal|lan)$/.test(host) || !host.includes('.')
}
