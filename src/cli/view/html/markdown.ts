import MarkdownIt from 'markdown-it'
import { highlightCode } from './highlight.js'
import { Html, html, visibleText } from './html.js'

const MAX_LENGTH = 100_000

const markdown = new MarkdownIt({
  html: false,
  linkify: false,
  highlight: (code, language) => highlightCode(code, language).text,
}).disable('image')
// Only what a reader can follow without harm is a link; the rest stays text.
markdown.validateLink = url => /^(?:https?|mailto):/i.test(url)
markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('rel', 'noopener noreferrer nofollow')
  return self.renderToken(tokens, index, options)
}

/** Markdown of anybody as HTML: none of its own HTML, no images, links to the web only. Long text stays as it is. */
export function markdownToHtml(text: string): Html {
  if (text.length > MAX_LENGTH) return html`<pre class="text">${text}</pre>`
  return new Html(`<div class="md">${markdown.render(visibleText(text))}</div>`)
}
