import { basename, dirname, join } from 'node:path'
import ts from 'typescript'

const libraries = dirname(ts.getDefaultLibFilePath({}))
/** The compiler's own declarations are most of what it reads, and the same for every program. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** What the compiler says of these files, a line each. `options` as in a tsconfig.json in `folder`. */
export function compile(folder: string, files: readonly string[], options: object): string[] {
  const { options: parsedOptions, errors } = ts.convertCompilerOptionsFromJson(options, folder)
  const host = ts.createCompilerHost(parsedOptions)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, language, ...more) => {
    if (dirname(name) !== libraries) return read(name, language, ...more)
    const key = `${basename(name)} ${JSON.stringify(language)}`
    if (!parsed.has(key)) parsed.set(key, read(name, language, ...more))
    return parsed.get(key)
  }
  host.getCurrentDirectory = () => folder
  const names = files.map(name => join(folder, name))
  const program = ts.createProgram(names, parsedOptions, host)
  return [...errors, ...ts.getPreEmitDiagnostics(program)].map(({ file, start = 0, messageText }) => {
    const place = file === undefined ? '' : `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: `
    return place + ts.flattenDiagnosticMessageText(messageText, '\n')
  })
}
