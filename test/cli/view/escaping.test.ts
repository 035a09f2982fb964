import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOf, makeDirectory, pageOf, readPage } from './support.js'

const TAGS = new Set(
  `html head meta title style body a header h1 h2 h3 h4 h5 h6 p dl div dt dd details summary ol ul li main article span svg path pre
code section strong em s table thead tbody tr th td figure img figcaption blockquote hr br`.split(/\s+/),
)
const ATTRIBUTES = new Set(
  `lang charset http-equiv content name class id href rel aria-label aria-labelledby aria-hidden tabindex role viewbox d src alt
colspan open style start`.split(/\s+/),
)
const CALM_STYLE =
  /^(?:color:rgb\(\d+,\d+,\d+\)|background-color:rgb\(\d+,\d+,\d+\)|text-align:\w+|[a-z-]+:[a-z0-9.]+|[; ])*$/

/** What would run, load, lead away or hide. */
const hostile = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)' autofocus='",
    '</style></title></pre><iframe src="javascript:alert(1)">',
    'javascript:alert(1)',
    'JaVaScRiPt&colon;alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '[click](javascript:alert(1)) ![x](https://example.org/x.png) <https://example.org/" onclick="x>',
    '[a]: javascript:alert(1)\n\n[a]\n\n<svg onload=alert(1)>',
    '```"><script>\n<b>\n```\n| <b> | `<i>` |\n|:-:|---|\n| 1 | 2 |',
    '\x1b]8;;javascript:alert(1)\x07click\x1b]8;;\x07 \x1b[31m<b onclick=x>\x1b[0m\x1b[38;2;1;2;3mz',
    '\x1b[<script>m \x1b]0;<script>alert(1)</script>\x07',
    'image/svg+xml',
    'a.js"><script>',
    '__proto__',
    'constructor',
    '--> <!--',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const STRUCTURE = new Set(['jsonrpc', 'method', 'sessionUpdate', 'type', 'sessionId', 'toolCallId', 'messageId', 'dir'])

/** The value with each string that is no structure replaced by the next that `next` gives. */
function replaceStrings(value: unknown, next: (text: string, key: string) => unknown, key = ''): unknown {
  if (typeof value === 'string') return next(value, key)
  if (Array.isArray(value)) return value.map(item => replaceStrings(item, next, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceStrings(inner, next, name)]))
}

function expectHarmless(page: string): void {
  const { elements } = readPage(page)
  expect(elements.filter(({ name }) => !TAGS.has(name))).toEqual([])
  for (const { name, attributes } of elements) {
    const { href, src, style } = attributes
    expect(Object.keys(attributes).filter(attribute => !ATTRIBUTES.has(attribute))).toEqual([])
    if (href !== undefined) expect(href).toMatch(/^(?:#[a-z]+-\d+|#thread|https?:|mailto:)/i)
    if (src !== undefined) expect(src).toMatch(/^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]*$/)
    if (style !== undefined) expect(style, name).toMatch(CALM_STYLE)
  }
}

describe('a page of a hostile transcript', () => {
  it('holds no element, attribute or address that runs, loads or leads away, whatever stands in its texts', async () => {
    const lines = (await linesOf('view/every-kind.ndjson')).map(line => JSON.parse(line))
    const directory = await makeDirectory()
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 6 }), async texts => {
        let at = 0
        const replace = (text: string, key: string) => (STRUCTURE.has(key) ? text : texts[at++ % texts.length])
        const changed = lines.map(line => JSON.stringify(replaceStrings(line, replace)))
        expectHarmless(await pageOf(changed, directory))
      }),
      { numRuns: 15 },
    )
  })

  it('comes to its end whatever stands in the place of a value', async () => {
    const lines = (await linesOf('view/every-kind.ndjson')).map(line => JSON.parse(line))
    const directory = await makeDirectory()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('constructor', '__proto__')), {
          minLength: 1,
          maxLength: 5,
        }),
        async values => {
          let at = 0
          const next = (text: string) => (at++ % 5 === 0 ? values[at % values.length] : text)
          const changed = lines.map(line => JSON.stringify(replaceStrings(line, next)))
          const page = await pageOf([...changed, ...values.map(value => JSON.stringify(value))], directory)
          expectHarmless(page)
          expect(page).toMatch(/<\/main>\n<\/body><\/html>\n$/)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('may load nothing but pictures within it, and run nothing', async () => {
    const page = await pageOf(await linesOf('view/every-kind.ndjson'), await makeDirectory())
    const policy = readPage(page).elements.find(({ attributes }) => attributes['http-equiv'])?.attributes.content
    expect(policy).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
    )
    expect(page.replace(/href="[^"]*"/g, '')).not.toMatch(/\b(?:src|action|data|srcset)="(?!data:image\/png)/)
    expectHarmless(page)
  })

  it('shows control characters, and draws no SVG', async () => {
    const svg = { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zz48L3N2Zz4=' }
    const lines = (await linesOf('view/every-kind.ndjson')).map(line => {
      const value = JSON.parse(line)
      const { update } = value.msg.params ?? {}
      if (update?.toolCallId === 'c2') update.title = 'Read \u202ecod.exe\u0007'
      if (update?.messageId === 'm2') update.content = svg
      return JSON.stringify(value)
    })
    const { text } = readPage(await pageOf(lines, await makeDirectory()))
    expect(text).toContain('Read ⟨U+202E⟩cod.exe␇')
    expect(text).toContain('[image, image/svg+xml, 12 bytes: not shown here]')
    expect(text).not.toMatch(/[\u202e\u0007\u001b]/)
  })
})
