import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { closedPort, openFetch, page, startWeb } from './fetch-support.js'

/** The text of a page without the line that says where it is from. */
const bodyOf = (text: string) => text.split('\n\n').slice(1).join('\n\n')

describe('fetch', () => {
  it('gives a page of HTML as Markdown, with its title and whole links', async () => {
    const html =
      '<title>The page</title><h1>Hello</h1><p>Some <b>bold</b> <a href="/next">words</a><script>no()</script>'
    const web = await startWeb(page('text/html; charset=utf-8', html))
    const { typed, ctx } = await openFetch()
    const { text, isError, meta, resultCard } = await typed(`${web.url}/a/b?q=1`)
    expect(isError).toBe(false)
    expect(text).toBe(
      `[Text of a web page, not of the user: ${web.url}/a/b?q=1, as Markdown]\n[Title: The page]\n\n# Hello\n\nSome **bold** [words](${web.url}/next)`,
    )
    expect(meta).toEqual({ url: `${web.url}/a/b?q=1`, type: 'text/html', bytes: html.length })
    const host = new URL(web.url).host
    expect(ctx.tools.presentCall('fetch', { url: `${web.url}/a/b?q=1` })).toEqual({
      card: 'generic',
      kind: 'fetch',
      title: `Fetch ${host}/a/b`,
      rawInput: { url: `${web.url}/a/b?q=1` },
    })
    expect(resultCard).toMatchObject({ card: 'generic', title: `Fetch ${host}/a/b (${html.length} bytes)` })
  })

  it('asks by GET, says who it is and nothing more, and sends no cookies', async () => {
    const web = await startWeb(page('text/plain', 'x'))
    const { typed } = await openFetch()
    await typed(web.url)
    expect(web.requests).toHaveLength(1)
    expect(web.requests[0]).toMatchObject({ method: 'GET', headers: { 'user-agent': 'deckhand/1.2.3' } })
    expect(web.requests[0]?.headers).not.toHaveProperty('cookie')
    expect(web.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it.each([
    ['application/json', '{"a": [1, 2]}\n'],
    ['text/markdown', '# Title\n\n<b>kept</b>\n'],
    ['application/vnd.api+json', '{}\n'],
    ['text/plain', 'a <p> b\n'],
    ['application/octet-stream', 'only text\n'],
  ])('gives %s as it is', async (type, body) => {
    const web = await startWeb(page(type, body))
    const { typed } = await openFetch()
    expect(bodyOf((await typed(web.url)).text)).toBe(body)
  })

  it.each([
    ['text/html; charset=gbk', Buffer.from([0x3c, 0x70, 0x3e, 0xc4, 0xe3])],
    ['text/html', Buffer.from('<meta charset="gbk"><p>\xc4\xe3', 'latin1')],
    ['text/plain', Buffer.from('\ufeff你', 'utf16le')],
    ['text/plain; charset="utf-8"', Buffer.from('你')],
    ['text/plain; charset=no-such-charset', Buffer.from('你')],
  ])('reads the charset of %s', async (type, body) => {
    const web = await startWeb(page(type, body))
    const { typed } = await openFetch()
    expect(bodyOf((await typed(web.url)).text)).toBe('你')
  })

  it.each([
    ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0])],
    ['application/pdf', Buffer.from('%PDF-1.7')],
    ['text/plain', Buffer.from('a\0b')],
    ['application/octet-stream', Buffer.from([0xff, 0xfe, 0xfd, 0x80, 0x81])],
    [undefined, Buffer.from([1, 2, 0, 3])],
  ])('refuses what is no text with its type and size: %s (B66)', async (type, body) => {
    const web = await startWeb(page(type, body))
    const { typed } = await openFetch()
    const { code, text } = await typed(web.url)
    expect(code).toBe('BINARY_FILE')
    expect(text).toContain(`${body.length} bytes`)
    if (type && !type.startsWith('text') && !type.endsWith('stream')) expect(text).toContain(type)
  })

  it('stops at max_bytes, between characters, and says so (B33)', async () => {
    const web = await startWeb(page('text/plain', '你'.repeat(1000)))
    const { typed } = await openFetch()
    const { text, meta } = await typed(web.url, { max_bytes: 10 })
    expect(text).toMatch(/\n\n你你你\n\[cut here: /)
    expect(meta).toMatchObject({ bytes: 10, cut: true })
  })

  it('counts a compressed page as it unfolds, and ends an endless one', async () => {
    const bomb = await startWeb(
      page('text/plain', gzipSync(Buffer.alloc(30_000_000, 'x')), { 'content-encoding': 'gzip' }),
    )
    const { typed } = await openFetch()
    const { text, meta } = await typed(bomb.url)
    expect(meta).toMatchObject({ bytes: 1024 * 1024, cut: true })
    expect(Buffer.byteLength(text)).toBeLessThan(101 * 1024)
    const endless = await startWeb((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const more = () => {
        while (!response.destroyed && response.write('y'.repeat(10_000)));
      }
      response.on('drain', more)
      more()
    })
    expect((await typed(endless.url)).meta).toMatchObject({ bytes: 1024 * 1024, cut: true })
  })

  it('ends with its signal, and by itself after its time', async () => {
    const silent = await startWeb(() => {})
    const { ctx, agent } = await openFetch()
    const stop = new AbortController()
    const call = ctx.tools.execute({
      callId: 'c',
      name: 'fetch',
      arguments: { url: silent.url },
      agent: { ...agent, origin: 'user' },
      signal: stop.signal,
      onStart: () => setImmediate(() => stop.abort()),
    })
    expect((await call).error?.code).toBe('ABORTED')
    const { typed } = await openFetch({ timeoutMs: 60 })
    const late = await typed(silent.url)
    expect([late.code, late.text]).toEqual(['TIMED_OUT', expect.stringContaining('try later')])
  })

  it.each([
    [404, {}, /check the URL/],
    [403, {}, /no cookies/],
    [429, { 'retry-after': '30' }, /try later, in 30 s/],
    [500, {}, /try later/],
  ])('says what to do when the server answers %i', async (status, headers, words) => {
    const web = await startWeb((_, response) => response.writeHead(status, headers).end('page'))
    const { typed } = await openFetch()
    const { code, text } = await typed(web.url)
    expect([code, text]).toEqual(['FETCH_FAILED', expect.stringMatching(words)])
  })

  it('says why there is no connection', async () => {
    const { typed } = await openFetch()
    expect((await typed(`http://127.0.0.1:${await closedPort()}/`)).text).toMatch(/^Cannot fetch .*nothing answers/)
    expect((await typed('https://no-such-host.invalid/')).code).toBe('FETCH_FAILED')
    const cut = await startWeb((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    expect((await typed(cut.url)).text).toMatch(/broke off after 4 bytes/)
  })

  it.each([
    ['example.com', /whole URL/],
    ['ftp://example.com/', /https or http/],
    ['file:///etc/passwd', /https or http/],
    ['https://me:secret@example.com/', /without a user name/],
  ])('refuses %s before anything happens', async (url, words) => {
    const { byModel } = await openFetch()
    const { code, text } = await byModel(url)
    expect([code, text]).toEqual(['INVALID_ARGS', expect.stringMatching(words)])
    expect(text).not.toContain('secret')
  })

  it('shows the start of a long page on its card, in a fence that holds (B36)', async () => {
    const web = await startWeb(page('text/plain', `\`\`\`\`\n${'line of text\n'.repeat(3000)}`))
    const { typed } = await openFetch()
    const { resultCard } = await typed(web.url)
    const [block] = resultCard?.card === 'generic' ? (resultCard.content ?? []) : []
    const shown = block?.type === 'text' ? block.text : ''
    expect(shown).toMatch(/^`````\n.*\n\[\d+\.\d KiB more for the model\]\n`````$/s)
    expect(Buffer.byteLength(shown)).toBeLessThan(17 * 1024)
  })

  it('declares the host it asks, without port and brackets', async () => {
    const { ctx } = await openFetch()
    const hosts = ['https://Example.COM.:8443/x', 'http://[::1]:3000/', 'http://2130706433/'].map(url =>
      ctx.tools.effects('fetch', { url }),
    )
    expect(hosts).toEqual([{ network: ['example.com'] }, { network: ['::1'] }, { network: ['127.0.0.1'] }])
  })
})
