import { runAcp } from './acp.js'

// An editor starts `deckhand acp`, or `deckhand` with a pipe on stdin, for every project: it loads nothing but the agent.
const [command, ...rest] = process.argv.slice(2)
const isAgent = (command === 'acp' && rest.length === 0) || (command === undefined && !process.stdin.isTTY)

try {
  if (isAgent) {
    await runAcp()
  } else {
    const { runProgram } = await import('./program.js')
    process.exitCode = await runProgram(process.argv)
  }
} catch (error) {
  // Editors show what stands on stderr: the reason, and no stack.
  process.stderr.write(`deckhand: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
