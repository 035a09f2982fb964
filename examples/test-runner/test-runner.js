import { defineTool, ToolError } from 'deckhand'
import { findFailures } from './find-failures.js'

export const name = 'test-runner'
export const inject = ['tools']

/** What is looked through for failures, and what the model reads of it. */
const MAX_SEARCHED = 1024 * 1024
const MAX_SHOWN = 16 * 1024

/**
 * Registers the tool `run_tests`.
 * @param {import('deckhand').PluginContext} ctx
 * @param {{ command?: string[] }} [config] `command` runs the tests and prints TAP as Node does; a file is added to it.
 */
export function apply(ctx, { command = ['node', '--test', '--test-reporter=tap'] } = {}) {
  ctx.tools.register(
    defineTool({
      name: 'run_tests',
      description: 'Run the tests of the project, or those of one file.',
      parameters: { file: { type: 'string', description: 'The test file. Default: all tests.' } },
      async execute({ file }, exec) {
        const { exitCode, signal, searched, shown } = await run(toCommand(command, file), exec)
        const failures = findFailures(searched)
        const meta = { failures, ...(exitCode !== undefined && { exitCode }), ...(signal && { signal }) }
        const list = failures.map(({ name, path, line }) => `- ${name} (${path}:${line})`).join('\n')
        const text = failures.length === 0 ? shown : `Failed:\n${list}\n\n${shown}`
        /** @type {import('deckhand').ContentBlock[]} */
        const content = [{ type: 'text', text }]
        if (exitCode !== 0) throw new ToolError('TESTS_FAILED', 'Tests failed.', { content, meta })
        return { content, meta }
      },
      presentCall: ({ file }) => ({ card: 'terminal', title: toCommand(command, file).map(quote).join(' ') }),
      presentResult(_args, { meta }) {
        const facts = /** @type {Facts | undefined} */ (meta)
        if (facts === undefined) return undefined
        const { failures, ...end } = facts
        return { card: 'terminal', ...end, locations: failures.map(({ path, line }) => ({ path, line })) }
      },
      effects: ({ file }) => ({ runs: toCommand(command, file).map(quote).join(' ') }),
    }),
  )
}

/** @typedef {{ failures: import('./find-failures.js').Failure[], exitCode?: number, signal?: string }} Facts */

/**
 * Runs a command to its end or to the signal; its output goes to the card as it comes.
 * @param {[string, ...string[]]} command
 * @param {import('deckhand').ActiveExecution} exec
 */
async function run(command, exec) {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  let searched = ''
  let shown = ''
  const child = await exec.launch(command, {
    cwd: exec.agent?.cwd ?? '/',
    // Inside of a run of Node's tests it would report to that one.
    env: { NODE_TEST_CONTEXT: undefined },
    onOutput(chunk, stream) {
      exec.progress({ output: chunk })
      const text = decoders[stream].decode(chunk, { stream: true })
      if (searched.length < MAX_SEARCHED) searched += text
      shown = (shown + text).slice(-MAX_SHOWN)
    },
  })
  const stop = () => void child.kill()
  exec.signal.addEventListener('abort', stop)
  if (exec.signal.aborted) stop()
  const end = await child.exited
  exec.signal.removeEventListener('abort', stop)
  exec.signal.throwIfAborted()
  return { ...end, searched, shown }
}

/**
 * @param {string[]} command
 * @param {string | undefined} file
 * @returns {[string, ...string[]]}
 */
function toCommand([program = 'node', ...args], file) {
  return [program, ...args, ...(file === undefined ? [] : [file])]
}

/** @param {string} word */
function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
