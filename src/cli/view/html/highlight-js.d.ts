/**
 * Only what is used of highlight.js; tsconfig.json has it in place of the package's own types, which would let code for Node
 * use all that browsers have.
 */
declare const hljs: {
  listLanguages(): string[]
  getLanguage(name: string): { aliases?: string[] } | undefined
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string }
}
export default hljs
