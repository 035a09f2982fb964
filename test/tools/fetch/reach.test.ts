import { describe, expect, it } from 'vitest'
import { HOST, makeCertificates, startProxy, startRedirecting, startSecureServer } from '../../network/support.js'
import { openFetch, page, startWeb, type Web } from './fetch-support.js'

const redirect = (to: string | ((path: string) => string), status = 302) =>
  startWeb((request, response) => {
    const target = typeof to === 'string' ? to : to(request.url ?? '/')
    if (target === '') page('text/plain', `at ${request.url}`)(request, response)
    else response.writeHead(status, { location: target }).end()
  })

const portOf = ({ url }: Web) => new URL(url).port

describe('what a model may reach', () => {
  it('is no address of this machine or of a private network, and no request is made', async () => {
    const web = await startWeb(page('text/plain', 'private'))
    const { byModel } = await openFetch()
    for (const url of [
      web.url,
      `http://localhost:${portOf(web)}/`,
      `http://[::ffff:127.0.0.1]:${portOf(web)}/`,
      `http://2130706433:${portOf(web)}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
    ]) {
      const { code, text } = await byModel(url)
      expect([url, code]).toEqual([url, 'ADDRESS_REFUSED'])
      expect(text).toContain('the user can open this one')
    }
    expect(web.requests).toEqual([])
  })

  it('is a public host through the user’s proxy and with the user’s certificates', async () => {
    const { caFile, ...tls } = await makeCertificates()
    const proxy = await startProxy(await startSecureServer(tls))
    const { byModel } = await openFetch({ env: { HTTPS_PROXY: proxy.url }, caFile })
    expect((await byModel(`https://${HOST}/page`)).text).toContain('GET /page')
    expect(proxy.asked[0]?.target).toBe(`${HOST}:443`)
    const untrusting = await openFetch({ env: { HTTPS_PROXY: proxy.url } })
    expect((await untrusting.byModel(`https://${HOST}/page`)).text).toMatch(/certificate is not trusted.*caFile/)
  })

  it('what the user typed may be private', async () => {
    const web = await startWeb(page('text/plain', 'private'))
    const { typed } = await openFetch()
    expect((await typed(web.url)).isError).toBe(false)
    expect((await typed(`http://localhost:${portOf(web)}/`)).isError).toBe(false)
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'by %i on the same host is followed, and the answer names where it led',
    async status => {
      const web = await redirect(path => (path === '/end' ? '' : '/end'), status)
      const { typed } = await openFetch()
      const { text, meta } = await typed(`${web.url}/start`)
      expect(text).toContain('at /end')
      expect(text).toContain(`${web.url}/end, where ${web.url}/start leads`)
      expect(meta).toMatchObject({ url: `${web.url}/end` })
    },
  )

  it('to another host is not followed: that host is asked about by a call of its own', async () => {
    const secret = await startWeb(page('text/plain', 'other'))
    const web = await redirect(`http://localhost:${portOf(secret)}/there?x=1`)
    const { typed } = await openFetch()
    const { code, text } = await typed(web.url)
    expect(code).toBe('REDIRECTED')
    expect(text).toContain(`http://localhost:${portOf(secret)}/there?x=1`)
    expect(secret.requests).toEqual([])
  })

  it('from https to http is not followed', async () => {
    const { caFile, ...tls } = await makeCertificates()
    const proxy = await startProxy(await startRedirecting(tls, `http://${HOST}/plain`))
    const { byModel } = await openFetch({ env: { HTTPS_PROXY: proxy.url }, caFile })
    const { code, text } = await byModel(`https://${HOST}/`)
    expect([code, text]).toEqual(['REDIRECTED', expect.stringContaining('not encrypted')])
    expect(proxy.asked).toHaveLength(1)
  })

  it.each(['file:///etc/passwd', 'http://me:secret@127.0.0.1/', 'javascript:1', 'http://['])(
    'to %s is not followed',
    async target => {
      const web = await redirect(target)
      const { typed } = await openFetch()
      expect((await typed(web.url)).code).toBe('REDIRECTED')
    },
  )

  it('in a circle ends', async () => {
    const web = await redirect(path => `${path}x`)
    const { typed } = await openFetch()
    expect((await typed(`${web.url}/`)).text).toMatch(/redirects more than 10 times/)
    expect(web.requests).toHaveLength(11)
  })
})
