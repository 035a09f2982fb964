import { expect, it } from 'vitest'
import { createFetch } from '../../src/network/index.js'
import { proxyFor } from '../../src/network/proxy-for.js'

const of = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.href

it('a URL goes through the proxy of its scheme, whatever the case of the name', () => {
  const env = { HTTPS_PROXY: 'http://secure:1', http_proxy: 'http://plain:2' }
  expect(of('https://example.com/', env)).toBe('http://secure:1/')
  expect(of('http://example.com/', env)).toBe('http://plain:2/')
  expect(of('https://example.com/', { HTTPS_PROXY: ' proxy.example:3128 ' })).toBe('http://proxy.example:3128/')
  expect(of('https://example.com/', { HTTPS_PROXY: '' })).toBeUndefined()
  expect(of('https://example.com/', {})).toBeUndefined()
})

it.each([
  'http://localhost:1/',
  'http://a.localhost/',
  'http://127.0.0.1/',
  'https://127.1.2.3/',
  'http://[::1]:8080/',
])('an address of this machine goes through none: %s', url => {
  expect(of(url, { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://p:1' })).toBeUndefined()
})

it.each([
  ['*', 'https://anything.example/', true],
  ['example.com', 'https://example.com/', true],
  ['example.com', 'https://api.example.com/', true],
  ['.example.com', 'https://api.example.com/', true],
  ['*.example.com', 'https://api.example.com/', true],
  ['example.com', 'https://notexample.com/', false],
  ['example.com', 'https://example.com.evil.org/', false],
  ['EXAMPLE.com', 'https://Example.COM./', true],
  ['a.org, b.org c.org', 'https://c.org/', true],
  ['example.com:8443', 'https://example.com:8443/', true],
  ['example.com:8443', 'https://example.com/', false],
  ['example.com:443', 'https://example.com/', true],
  ['10.0.0.0/8', 'https://10.1.2.3/', true],
  ['10.0.0.0/8', 'https://11.1.2.3/', false],
  ['10.0.0.0/99', 'https://10.1.2.3/', false],
  ['fd00::/8', 'https://[fd12::1]/', true],
  ['192.168.1.5', 'https://192.168.1.5:8443/', true],
  ['[fd12::1]', 'https://[fd12::1]/', true],
  [',', 'https://example.com/', false],
])('NO_PROXY=%s and %s: direct is %s', (list, url, isDirect) => {
  expect(of(url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: list }) === undefined).toBe(isDirect)
})

it.each(['socks5://p:1', 'ftp://p', 'http://'])(
  'a proxy that is no http address is an error that names it: %s',
  async proxy => {
    const fetch = createFetch({ env: { HTTPS_PROXY: proxy } })
    await expect(fetch('https://example.invalid/')).rejects.toMatchObject({
      code: 'PROXY_INVALID',
      message: expect.stringContaining('HTTPS_PROXY'),
    })
  },
)
