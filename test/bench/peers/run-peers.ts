import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../report.js'
import type { Stand } from '../stand.js'
import { load50 } from '../works/load.js'
import { manySessions } from '../works/many-sessions.js'
import { cancel, firstLine } from '../works/response.js'
import { idle, start } from '../works/start.js'
import { edits, output, shell } from '../works/turns.js'
import type { Sample, Work } from '../works/work.js'
import { PEERS, type Peer } from './peers.js'

const RUNS = 2
/** The binary itself: the package `node` fetches it by a script, and scripts of packages may not run. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** The figure of each work that is compared. */
const COMPARED: readonly (readonly [Work, string])[] = [
  [start, 'initMs'],
  [idle, 'rssMiB'],
  [shell, 'callMs'],
  [edits, 'callMs'],
  [output, 'turnMs'],
  [load50, 'loadMs'],
  [manySessions, 'allMs'],
  [firstLine, 'firstLineMs'],
  [cancel, 'answerMs'],
]

/** Installs the peers that are not there yet, and runs all contestants in turn. */
export async function runPeers(
  folder: string,
  stand: Stand,
  say: (text: string) => void,
): Promise<{ results: object[]; markdown: string }> {
  const node = join(install(folder, 'node', [`${NODE}@24`], say), 'node_modules', NODE, 'bin', 'node')
  for (const peer of PEERS) add(peer, install(folder, peer.name, peer.packages, say), node, stand)
  const names = ['ours', 'floor', 'floor-llm', ...PEERS.map(({ name }) => name)]
  const rows: string[] = []
  const results: object[] = []
  for (const [work, figure] of COMPARED) {
    say(`peers: ${work.name} …`)
    const samples = new Map<string, Sample[]>(names.map(name => [name, []]))
    for (let run = 0; run < RUNS; run++) {
      for (let at = 0; at < names.length; at++) {
        const name = names[(at + run) % names.length] ?? ''
        try {
          samples.get(name)?.push(await work.run(stand, name))
        } catch (error) {
          say(`  ${name}: ${String(error).slice(0, 300)}`)
        }
      }
    }
    const medians = names.map(name => median((samples.get(name) ?? []).map(sample => sample[figure] ?? Number.NaN)))
    const floor = medians[names.indexOf(work.against)] ?? Number.NaN
    const cells = medians.map(value =>
      Number.isNaN(value) ? '' : `${value.toFixed(1)} (${(value / floor).toFixed(1)}×)`,
    )
    rows.push(`| ${work.title}: ${figure} | ${cells.join(' | ')} |`)
    results.push({ name: work.name, figure, medians: Object.fromEntries(names.map((name, at) => [name, medians[at]])) })
  }
  const markdown = [`| | ${names.join(' | ')} |`, `|${'---|'.repeat(names.length + 1)}`, ...rows, ''].join('\n')
  return { results, markdown }
}

function add(peer: Peer, folder: string, node: string, stand: Stand): void {
  const home = stand.scratch.folder(peer.name)
  stand.add(peer.name, () => peer.start({ folder, home, node, modelUrl: stand.modelUrl }))
}

/** Into a folder of its own below `folder`; left as it is if it is there. */
function install(folder: string, name: string, packages: readonly string[], say: (text: string) => void): string {
  const own = join(folder, name)
  if (existsSync(join(own, 'node_modules'))) return own
  say(`installing ${packages.join(' ')} …`)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'package.json'), '{"private":true}')
  const options = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, ...packages], {
    cwd: own,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  return own
}
