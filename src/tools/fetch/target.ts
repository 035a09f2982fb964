/** The host of a URL as questions and rules know it: lower case, without port, brackets and a final dot. */
export function toHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** What is wrong with a URL, as a violation; undefined if it can be fetched. */
export function findUrlFault(value: string): string | undefined {
  if (!URL.canParse(value)) return `url: expected a whole URL, as https://example.com/page, got ${shorten(value)}`
  const url = new URL(value)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `url: expected an https or http URL, got ${shorten(value)}; a file is what read is for`
  }
  if (url.username !== '' || url.password !== '') return 'url: expected a URL without a user name and password'
  return undefined
}

/** True if both are names of one site: equal, or one has `www.` in front. */
export function isSameSite(one: URL, other: URL): boolean {
  const bare = (url: URL) => toHost(url).replace(/^www\./, '')
  return bare(one) === bare(other)
}

function shorten(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value)
}
