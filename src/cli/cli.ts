import { stdin } from 'node:process'

// An editor starts `deckhand acp`, or `deckhand` with a pipe on stdin, for every project: it loads nothing but the agent.
const [command, ...rest] = process.argv.slice(2)
const isAgent = (command === 'acp' && rest.length === 0) || (command === undefined && !stdin.isTTY)

if (isAgent) {
  const { runAcp } = await import('./acp.js')
  await runAcp()
} else {
  const { runProgram } = await import('./program.js')
  process.exitCode = await runProgram(process.argv)
}
