import { type Fields, isFields, toText } from '../../../bridge/index.js'
import { formatBytes, headAndTail } from '../../../cards/index.js'
import type { ContentFields } from '../../fold/card-content.js'
import { valueText } from '../frame-text.js'
import { type Html, html } from './html.js'
import { markdownToHtml } from './markdown.js'

const MAX_TEXT_BYTES = 192 * 1024
const MAX_IMAGE_LENGTH = 2 * 1024 * 1024

/** Kinds of pictures that are shown; an SVG could hold anything. */
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** One block of content: of a message, or of a card. */
export function contentHtml(block: ContentFields): Html {
  switch (block.type) {
    case 'text':
      return markdownToHtml(headAndTail(toText(block.text) ?? '', MAX_TEXT_BYTES))
    case 'image':
      return imageHtml(toText(block.mimeType) ?? '', toText(block.data) ?? '')
    case 'audio':
      return leftOut(`audio, ${toText(block.mimeType) ?? 'unknown type'}, ${mediaSize(toText(block.data) ?? '')}`)
    case 'resource':
      return resourceHtml(isFields(block.resource) ? block.resource : {})
    case 'resource_link':
      return linkHtml(block)
    default:
      return html`<pre class="text">${valueText(block)}</pre>`
  }
}

function imageHtml(type: string, data: string): Html {
  const base64 = data.replace(/\s+/g, '')
  const what = `${type || 'image'}, ${mediaSize(base64)}`
  const isShown = IMAGE_TYPES.has(type) && base64.length <= MAX_IMAGE_LENGTH && /^[\w+/]+={0,2}$/.test(base64)
  if (!isShown) return leftOut(`image, ${what}`)
  return html`<figure><img src="data:${type};base64,${base64}" alt="${what}"><figcaption>${what}</figcaption></figure>`
}

function resourceHtml(resource: Fields): Html {
  const { uri, mimeType, text, blob } = resource
  const name = html`<p class="path">${toText(uri) ?? 'resource'} <span class="dim">${toText(mimeType)}</span></p>`
  if (typeof text === 'string')
    return html`<div class="resource">${name}<pre class="text" tabindex="0">${headAndTail(text, MAX_TEXT_BYTES)}</pre></div>`
  const size = typeof blob === 'string' ? mediaSize(blob) : 'without content'
  return html`<div class="resource">${name}${leftOut(`binary, ${size}`)}</div>`
}

function linkHtml({ uri, name, title, description, size }: ContentFields): Html {
  const target = toText(uri) ?? ''
  const label = toText(title) ?? toText(name) ?? target
  const isWeb = /^https?:\/\//i.test(target)
  const shown = isWeb ? html`<a href="${target}" rel="noopener noreferrer nofollow">${label}</a>` : html`${label}`
  const more = typeof size === 'number' ? formatBytes(size) : undefined
  return html`<p class="link">${shown} <span class="path">${target}</span> <span class="dim">${toText(description)} ${more}</span></p>`
}

/** In the place of what a page does not hold. */
export function leftOut(what: string): Html {
  return html`<p class="dim">[${what}: not shown here]</p>`
}

function mediaSize(base64: string): string {
  return formatBytes(Math.floor((base64.length * 3) / 4))
}
