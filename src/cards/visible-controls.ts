import { toWellFormed } from './text-bytes.js'

interface VisibleControlsOptions {
  /** Leave newlines as they are (CRLF as LF) instead of showing `⏎`. */
  keepNewlines?: boolean
}

// Joiners and variation selectors inside an emoji are part of its picture and stay.
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})/u
  .source
const EMOJI_SELECTOR = /(?<=\p{Emoji})[\ufe0e\ufe0f]/u.source
const INVISIBLE = /\r\n|[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u.source
const SHOWN = new RegExp(`(?!${EMOJI_JOINER})(?!${EMOJI_SELECTOR})(?:${INVISIBLE})`, 'gu')

/**
 * `text` with control, bidi and zero-width characters made visible, so that nothing hides in it or reorders it: a newline as
 * `⏎`, a tab as `⇥`, other C0 controls as their pictures (`␛`), the rest as `⟨U+202E⟩`.
 */
export function visibleControls(text: string, options: VisibleControlsOptions = {}): string {
  const newline = options.keepNewlines ? '\n' : '⏎'
  return toWellFormed(text).replace(SHOWN, found => {
    if (found === '\n' || found === '\r\n') return newline
    if (found === '\t') return '⇥'
    const code = found.codePointAt(0)!
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    if (code === 0x7f) return '␡'
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
