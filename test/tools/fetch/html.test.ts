import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../../src/tools/fetch/html-to-markdown.js'

const read = (html: string, maxChars = 100_000) =>
  htmlToMarkdown(html, { url: new URL('https://a.example/dir/page'), maxChars, signal: new AbortController().signal })
const toMarkdown = async (html: string) => (await read(html)).markdown

describe('HTML as Markdown', () => {
  it.each([
    ['<h2>A <em>b</em></h2><p>c</p>d', '## A _b_\n\nc\n\nd'],
    ['a<br>b<div>c</div><div>d</div>', 'a\nb\nc\nd'],
    ['x <b> bold </b>y <b></b>z', 'x **bold** y z'],
    ['one\n  two&nbsp;three &lt;p&gt; &amp;amp;', 'one two three <p> &amp;'],
    ['<a href="../x?a=1&amp;b=2#f">up</a>', '[up](https://a.example/x?a=1&b=2#f)'],
    ['<base href="https://b.example/"><a href="y">y</a>', '[y](https://b.example/y)'],
    ['<a href="#top">top</a> <a href="javascript:f()">run</a> <a href="/z"></a>', 'top run'],
    [
      '<img src="p.png" alt="A  plan"><img src="q.png"><img alt="no source">',
      '![A plan](https://a.example/dir/p.png)no source',
    ],
    ['<ul><li>one<li>two<ul><li>in</ul><li>three</ul>', '- one\n- two\n  - in\n- three'],
    ['<ol start="9"><li>a</li><li>b<p>more</p></li></ol>', '9. a\n10. b\n\n    more'],
    ['<ol><li><p>a<li><p>b</ol>', '1. a\n\n2. b'],
    ['<blockquote><p>q</p><p>r</p></blockquote>s', '> q\n>\n> r\n\ns'],
    ['use <code>a`b  c</code> and <code></code>', 'use `` a`b c `` and'],
    ['<pre><code class="x">\nif (a &lt; b) {\n  c\n}\n</code></pre>', '```\nif (a < b) {\n  c\n}\n```'],
    ['<pre>```\n<b>x</b>\n```</pre>', '````\n```\nx\n```\n````'],
    [
      '<table><thead><tr><th>A<th>B</thead><tr><td>1|2<td><b>x</b></table>',
      '| A | B |\n| --- | --- |\n| 1\\|2 | **x** |',
    ],
    ['<table><tr><td><p>left</p><p>more</p><td>right</table>', 'left\n\nmore\nright'],
    [
      '<nav><a href="/">Home</a></nav><style>p{}</style><script>"<p>no"</script><p hidden>no</p><main>yes</main>',
      'yes',
    ],
    ['<svg><title>no</title><text>no</text></svg><p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
    ['', ''],
    ['no markup', 'no markup'],
  ])('%s', async (html, markdown) => {
    expect(await toMarkdown(html)).toBe(markdown)
  })

  it('finds the title and keeps it out of the text', async () => {
    expect(await read('<head><title>A\n <b> &amp; B</title></head><p>text')).toEqual({
      title: 'A <b> & B',
      markdown: 'text',
      isCut: false,
    })
  })

  it('is cut at its bound, and says so', async () => {
    const page = await read('<p>words</p>'.repeat(100_000), 1000)
    expect(page.isCut).toBe(true)
    expect(page.markdown.length).toBeLessThan(20_000)
  })

  it.each([
    ['elements in each other', '<div>'.repeat(100_000)],
    ['marks in each other', '<b>'.repeat(100_000)],
    ['lists in each other', '<ul><li>'.repeat(100_000)],
    ['tables in each other', '<table><tr><td>'.repeat(50_000)],
    ['quotes with many lines', `${'<blockquote>'.repeat(900)}${'a<br>'.repeat(100_000)}`],
    ['ends without a beginning', `${'<div>'.repeat(900)}${'</x>'.repeat(200_000)}`],
    ['items that are not closed', `<ul>${'<li><p>x'.repeat(100_000)}`],
    ['links that are not closed', '<a href=x>'.repeat(90_000)],
    ['attributes without end', `<a ${'b '.repeat(400_000)}`],
    ['comments without end', '<!--'.repeat(200_000)],
  ])('does not keep the event loop for long with %s (B08)', async (_name, html) => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const page = await read(html)
    isOver = true
    // One turn for each slice that was read, unless it ended before.
    expect(turns).toBeGreaterThan(page.isCut ? 0 : html.length / 8192 - 2)
    expect(page.markdown.length).toBeLessThan(400_000)
  })

  it('takes any text as a page', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<p>',
        '</p>',
        '<li>',
        '<ul>',
        '</ul>',
        '<table>',
        '<td>',
        '</tr>',
        '<pre>',
        '</pre>',
        '<b>',
        '</b>',
        '<a href=x>',
        '</a>',
        '<code>',
        '<title>',
        '<nav>',
        '</nav>',
        '<br>',
        '<h1>',
        '<!--',
        '<![CDATA[',
        '</table>',
      ),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async pieces => {
        const { markdown, isCut } = await read(pieces.join(''))
        expect(isCut).toBe(false)
        expect(markdown).toBe(markdown.trim())
      }),
      { numRuns: 200 },
    )
  })
})
