/** A name that begins and ends like this, in any directory or in one that is called `parent`. */
interface NameShape {
  prefix: string
  suffix: string
  parent?: string
}

/**
 * Tells quickly of most names that no ignore rule can match them. A rule matches an entry by its own name only, given that
 * the directories above are not ignored themselves; what a rule's last segment says is compared, and what it does not say
 * plainly is left to the rules.
 */
export class RuleHints {
  private readonly names: Set<string>
  private readonly shapes: NameShape[]
  private any: boolean

  constructor(
    above: RuleHints | undefined,
    rules: readonly string[],
    private readonly ignoreCase: boolean,
  ) {
    this.names = new Set(above?.names)
    this.shapes = [...(above?.shapes ?? [])]
    this.any = above?.any ?? false
    for (const rule of rules) this.add(ignoreCase ? rule.toLowerCase() : rule)
  }

  /** `directory` is the name of the directory that holds the entry, or a path that ends in it. */
  mayMatch(directory: string, name: string): boolean {
    if (this.any) return true
    if (this.ignoreCase) {
      if (/[^\x00-\x7f]/.test(name)) return true
      name = name.toLowerCase()
    }
    if (this.names.has(name)) return true
    for (const { prefix, suffix, parent } of this.shapes) {
      if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue
      if (parent === undefined || this.isNamed(directory, parent)) return true
    }
    return false
  }

  private isNamed(directory: string, name: string): boolean {
    const path = this.ignoreCase ? directory.toLowerCase() : directory
    return path === name || path.endsWith(`/${name}`)
  }

  private add(rule: string): void {
    const body = rule.replace(/^!/, '').replace(/ +$/, '')
    // Escapes, classes and blanks: as the rules read them. Case beyond ASCII: the same.
    if (/[\\[\]?\s]|[^\x00-\x7f]/.test(body)) {
      this.any = true
      return
    }
    const segments = body.replace(/\/+$/, '').split('/')
    const parts = segments.at(-1)!.split('*')
    const [prefix = '', suffix] = parts
    if (parts.length === 1 && prefix !== '') {
      this.names.add(prefix)
    } else if (parts.length === 2 && suffix !== undefined) {
      const parent = segments.at(-2)
      const isPlain = parent !== undefined && parent !== '' && !parent.includes('*')
      this.shapes.push({ prefix, suffix, ...(isPlain && prefix + suffix === '' && { parent }) })
    } else {
      this.any = true
    }
  }
}
