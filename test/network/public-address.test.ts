import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetch } from '../../src/network/index.js'
import { isPublicAddress } from '../../src/network/public-address.js'

describe('a public address', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::1',
  ])('is %s', address => expect(isPublicAddress(address)).toBe(true))

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001:db8::1',
    'localhost',
    '',
  ])('is not %s', address => expect(isPublicAddress(address)).toBe(false))
})

describe('a fetch that is for public addresses only', () => {
  let port = 0
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.end('private')
  })
  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })

  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0'])(
    'does not reach this machine as %s',
    async host => {
      const fetch = createFetch({ env: {}, publicOnly: true })
      const error = await fetch(`http://${host}:${port}/`).then(
        () => undefined,
        (problem: Error) => problem,
      )
      const codes = [error, error?.cause].map(problem => (problem as { code?: string } | undefined)?.code)
      expect(codes).toContain('ADDRESS_REFUSED')
      expect(requests).toBe(0)
    },
  )

  it('does not reach it through a proxy either, by a name that leads here', async () => {
    const env = { HTTP_PROXY: `http://127.0.0.1:${port}`, HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const fetch = createFetch({ env, publicOnly: true })
    await expect(fetch('http://10.0.0.1/')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    expect(requests).toBe(0)
  })
})
