import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { startModel } from './agents/contestants.js'
import { toSvg } from './growth/curve.js'
import { manyTools, openSessions, sessionLength, workspaceSize } from './growth/curves.js'
import { frames } from './inside/frames.js'
import { hunks } from './inside/hunks.js'
import { search } from './inside/search.js'
import { waterfall } from './inside/waterfall.js'
import { runPeers } from './peers/run-peers.js'
import { type Result, toMarkdown, toMedians, toVerdicts } from './report.js'
import { Stand } from './stand.js'
import { load50, load2000, reopen } from './works/load.js'
import { longSession } from './works/long-session.js'
import { manySessions } from './works/many-sessions.js'
import { cancel, firstLine, token } from './works/response.js'
import { idle, start } from './works/start.js'
import { edits, output, shell } from './works/turns.js'
import type { Sample, Work } from './works/work.js'

const WORKS = [
  ...[start, idle, shell, edits, output, load50, load2000, reopen, manySessions],
  ...[firstLine, cancel, token, longSession],
]
const INSIDE = [hunks, waterfall, frames, search]
const CURVES = {
  'session-length': sessionLength,
  'open-sessions': openSessions,
  tools: manyTools,
  workspace: workspaceSize,
}

interface Options {
  json?: boolean
  only?: string
  runs?: number
  packages?: boolean
  curves?: string | boolean
  peers?: string
  cli: string
}

const say = (text: string) => process.stderr.write(`${text}\n`)

async function runWork(
  work: Work,
  stand: Stand,
  { runs = work.runs ?? 3, packages }: Pick<Options, 'runs' | 'packages'>,
): Promise<Result> {
  const names = ['ours', ...(packages ? ['packages'] : []), work.against]
  const samples = new Map<string, Sample[]>(names.map(name => [name, []]))
  const failures: string[] = []
  for (let run = 0; run < runs; run++) {
    // The order turns, so that no contestant always has the warmer caches.
    for (const name of run % 2 === 0 ? names : names.toReversed()) {
      try {
        samples.get(name)?.push(await work.run(stand, name))
      } catch (error) {
        failures.push(`${name}: ${String(error)}`)
      }
    }
  }
  const medians = Object.fromEntries(names.map(name => [name, toMedians(samples.get(name) ?? [])]))
  const verdicts = toVerdicts(work.budgets, medians.ours, medians[work.against])
  return { name: work.name, title: work.title, against: work.against, medians, verdicts, failures }
}

async function main(options: Options): Promise<void> {
  const wanted = options.only?.split(',')
  const isWanted = ({ name }: { name: string }) => wanted === undefined || wanted.includes(name)
  const stand = new Stand(await startModel(), resolve(options.cli))
  const results: Result[] = []
  const print = (result: Result) => {
    results.push(result)
    if (!options.json) process.stdout.write(`${toMarkdown(result)}\n`)
  }
  try {
    for (const work of WORKS.filter(isWanted)) {
      say(`${work.name} …`)
      print(await runWork(work, stand, options))
    }
    for (const work of INSIDE.filter(isWanted)) {
      say(`${work.name} …`)
      const ours = await work.run()
      print({ ...work, medians: { ours }, verdicts: toVerdicts(work.budgets, ours, undefined), failures: [] })
    }
    const curves = []
    for (const [name, make] of options.curves === undefined ? [] : Object.entries(CURVES)) {
      say(`curve ${name} …`)
      curves.push(await make(stand))
    }
    if (curves.length > 0) {
      const folder = resolve(typeof options.curves === 'string' ? options.curves : 'docs')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'growth.svg'), toSvg(curves))
    }
    const peers = options.peers === undefined ? undefined : await runPeers(resolve(options.peers), stand, say)
    if (peers && !options.json) process.stdout.write(`${peers.markdown}\n`)
    if (options.json) {
      const machine = {
        node: process.version,
        platform: process.platform,
        cores: cpus().length,
        model: cpus()[0]?.model,
      }
      const report = { date: new Date().toISOString(), machine, results, curves, peers: peers?.results }
      process.stdout.write(`${JSON.stringify(report, undefined, 1)}\n`)
    }
  } finally {
    stand.remove()
  }
}

await new Command('bench')
  .description('Measures the built agent against a floor: an agent that does the same work with bare calls of Node.')
  .option('--only <names>', `some of ${[...WORKS, ...INSIDE].map(({ name }) => name).join(', ')}`)
  .option('--runs <count>', 'runs of each work and contestant', Number)
  .option('--packages', "also the floor's work behind the packages that an agent stands on")
  .option('--curves [folder]', 'how costs grow, drawn to growth.svg in the folder (default: docs)')
  .option('--peers <folder>', 'other agents, installed from the npm registry into the folder')
  .option('--cli <file>', 'the binary to measure', 'dist/cli.js')
  .option('--json', 'all figures as JSON on stdout')
  .action(main)
  .parseAsync()
