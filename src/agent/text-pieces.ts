/** Small enough as JSON for clients that stop reading at lines of 64 KiB: one character takes at most six there. */
const MAX_PIECE = 8192

/** The text in pieces that each fit a message, cut between characters. None for an empty text. */
export function toTextPieces(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + MAX_PIECE, text.length)
    if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end--
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
