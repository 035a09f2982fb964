/**
 * Words with shell quoting: blanks separate, single and double quotes join, a backslash takes the next character as it is.
 * Outside quotes a backslash before a letter, a digit or a dot stands, so that `\d` and `C:\src` need no quotes.
 * Undefined if a quote stays open or a backslash ends the text.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  while (at < line.length) {
    const character = line.charAt(at)
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at++
      continue
    }
    const piece = readPiece(line, at)
    if (piece === undefined) return undefined
    word = (word ?? '') + piece.text
    at = piece.end
  }
  if (word !== undefined) words.push(word)
  return words
}

interface Piece {
  text: string
  end: number
}

function readPiece(line: string, at: number): Piece | undefined {
  const character = line.charAt(at)
  if (character === "'") return readSingleQuoted(line, at)
  if (character === '"') return readDoubleQuoted(line, at)
  if (character !== '\\') return { text: character, end: at + 1 }
  const next = line.charAt(at + 1)
  if (next === '') return undefined
  return { text: /[\p{L}\p{N}_.]/u.test(next) ? `\\${next}` : next, end: at + 2 }
}

function readSingleQuoted(line: string, at: number): Piece | undefined {
  const close = line.indexOf("'", at + 1)
  return close === -1 ? undefined : { text: line.slice(at + 1, close), end: close + 1 }
}

function readDoubleQuoted(line: string, at: number): Piece | undefined {
  let text = ''
  for (let end = at + 1; end < line.length; end++) {
    const character = line.charAt(end)
    if (character === '"') return { text, end: end + 1 }
    // Within double quotes a shell lets a backslash escape only these four.
    if (character === '\\' && /["\\$`]/.test(line.charAt(end + 1))) text += line.charAt(++end)
    else text += character
  }
  return undefined
}
