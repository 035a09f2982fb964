import { appliedHunks, defineTool, HarnessError } from 'deckhand'

export const name = 'formatter'
export const inject = ['tools', 'files']

/**
 * Registers the tool `format`.
 * @param {import('deckhand').PluginContext} ctx
 * @param {{ program?: string[] }} [config] `program` gets the text of a file on its stdin and prints it formatted; `{path}` among its words stands
 *   for the file. Without it blanks at the ends of lines and blank lines in a row are taken away.
 */
export function apply(ctx, { program } = {}) {
  ctx.tools.register(
    defineTool({
      name: 'format',
      description: 'Format files of the project.',
      parameters: {
        paths: { type: 'array', items: { type: 'string' }, required: true, description: 'The files.' },
      },
      async execute({ paths }, exec) {
        /** @type {import('deckhand').FileDiff[]} */
        const hunks = []
        /** @type {string[]} */
        const lines = []
        for (const path of paths) {
          exec.signal.throwIfAborted()
          const format = program === undefined ? tidy : commandFormatter(program, path, exec)
          const found = await formatFile(ctx.files, path, format, exec)
          hunks.push(...found)
          lines.push(`${path}: ${found.length === 0 ? 'as it was' : `${found.length} changed`}`)
          exec.progress({ content: [{ type: 'text', text: lines.join('\n') }] })
        }
        return { content: [{ type: 'text', text: lines.join('\n') }], meta: { hunks } }
      },
      // The arguments do not say what will change, so the call is a plain card with its files.
      presentCall: ({ paths }) =>
        paths?.length > 0
          ? {
              card: 'generic',
              kind: 'edit',
              title: `Format ${paths.join(', ')}`,
              locations: paths.map(path => ({ path })),
            }
          : undefined,
      presentResult(_args, { isError, meta }) {
        const { hunks = [] } = /** @type {{ hunks?: import('deckhand').FileDiff[] }} */ (meta ?? {})
        return isError || hunks.length === 0 ? undefined : { card: 'diff', diffs: hunks }
      },
      effects: ({ paths }) => ({
        reads: paths,
        writes: paths,
        ...(program && { runs: paths.map(path => toCommand(program, path).map(quote).join(' ')).join(' && ') }),
      }),
    }),
  )
}

/**
 * Formats one file, alone among all who write it. Answers what changed.
 * @param {import('deckhand').PluginFiles} files
 * @param {string} path
 * @param {(text: string) => string | Promise<string>} format
 * @param {import('deckhand').ActiveExecution} exec
 */
async function formatFile(files, path, format, { agent, signal }) {
  const { realPath } = await files.resolve(agent, path)
  return files.lock(
    realPath,
    async () => {
      const before = await files.read(agent, path, signal)
      const { mark, text } = toText(path, before)
      const formatted = await format(text)
      if (formatted === text) return []
      // `replacing` refuses the write if somebody else has changed the file meanwhile.
      const bytes = Buffer.from(mark + formatted)
      const after = await files.write(agent, path, bytes, { replacing: before, signal })
      return appliedHunks(path, text, after.text ?? '').hunks
    },
    signal,
  )
}

/**
 * The text of a file and its byte order mark, which stays where it is.
 * @param {string} path
 * @param {import('deckhand').PluginFile} file
 */
function toText(path, { bytes, text = '' }) {
  for (const mark of ['', '\uFEFF']) if (Buffer.from(mark + text).equals(bytes)) return { mark, text }
  throw new HarnessError('BINARY_FILE', `${path} is not text in UTF-8.`)
}

/** @param {string} text */
function tidy(text) {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(/\r?\n/).map(line => line.trimEnd())
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`.replaceAll('\n', newline)
}

/**
 * @param {string[]} program
 * @param {string} path
 * @param {import('deckhand').ActiveExecution} exec
 * @returns {(text: string) => Promise<string>}
 */
function commandFormatter(program, path, exec) {
  return async input => {
    const output = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
    const child = await exec.launch(toCommand(program, path), {
      cwd: exec.agent?.cwd ?? '/',
      input,
      onOutput(chunk, stream) {
        if (output[stream].length > 16 * 1024 * 1024) return
        output[stream] = Buffer.concat([output[stream], chunk])
      },
    })
    const stop = () => void child.kill()
    exec.signal.addEventListener('abort', stop)
    if (exec.signal.aborted) stop()
    const { exitCode } = await child.exited
    exec.signal.removeEventListener('abort', stop)
    exec.signal.throwIfAborted()
    if (exitCode === 0) return output.stdout.toString()
    const reason = output.stderr.toString().trim().slice(0, 2000)
    throw new HarnessError(
      'COMMAND_FAILED',
      `${program[0]} cannot format ${path}: ${reason || `exit code ${exitCode}`}`,
    )
  }
}

/**
 * @param {string[]} program
 * @param {string} path
 * @returns {[string, ...string[]]}
 */
function toCommand([file = '', ...args], path) {
  return [file, ...args.map(word => word.replaceAll('{path}', () => path))]
}

/** @param {string} word */
function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
