import { homedir } from 'node:os'

/** Whether a shell takes a word for a pattern of names. */
export function isPattern(word: string): boolean {
  return /[*?[{]/.test(word)
}

/** The names of a path or of a pattern for one, without case; what stands between brackets or braces is any text. */
export function toNames(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '*')
    .split(/[\\/]/)
}

/** A name against `*` and `?`; never slower than the product of their lengths. */
export function fitsName(pattern: string, name: string): boolean {
  let [at, star, resume] = [0, -1, 0]
  for (let index = 0; index < name.length; ) {
    const sign = pattern[at]
    if (sign === '*') {
      star = at++
      resume = index
    } else if (sign === '?' || (sign !== undefined && sign === name[index])) {
      at++
      index++
    } else if (star < 0) return false
    else {
      at = star + 1
      index = ++resume
    }
  }
  return /^\**$/.test(pattern.slice(at))
}

/** A text with the tilde and variables of known folders as a shell, or cmd, would put them in. */
export function expand(text: string): string {
  return text
    .replace(/(^|[\s=:'"<>])~(?=\/|$)/g, (_all, before: string) => before + homedir())
    .replace(/%(\w+)%/g, (all, name: string) => process.env[name] ?? all)
    .replace(/\$(?:(\w+)|\{(\w+)\})/g, (all, plain: string | undefined, braced: string | undefined) => {
      const name = plain ?? braced ?? ''
      return name === 'HOME' ? homedir() : (process.env[name] ?? all)
    })
}
