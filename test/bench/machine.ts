import { readdirSync, readFileSync } from 'node:fs'

/** Of a process and all below it. Linux only: elsewhere all figures are NaN. */
export interface Memory {
  rssMiB: number
  /** Memory that no other process shares and no file backs: what a fork has to copy the tables of. */
  anonymousMiB: number
  processes: number
}

/** Clock ticks are 10 ms on every Linux in use. */
const TICK_MS = 10
const PAGE_MIB = 4096 / 1024 / 1024

interface ProcessLine {
  parent: number
  ticks: number
}

export function memoryOf(pid: number): Memory {
  if (process.platform !== 'linux') return { rssMiB: Number.NaN, anonymousMiB: Number.NaN, processes: Number.NaN }
  const tree = treeOf(pid, readProcesses())
  let rss = 0
  let anonymous = 0
  for (const each of tree) {
    const rollup = read(`/proc/${each}/smaps_rollup`)
    rss += kib(rollup, 'Rss')
    anonymous += kib(rollup, 'Anonymous')
  }
  return { rssMiB: rss / 1024, anonymousMiB: anonymous / 1024, processes: tree.length }
}

export function cpuMsOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const all = readProcesses()
  return treeOf(pid, all).reduce((sum, each) => sum + (all.get(each)?.ticks ?? 0) * TICK_MS, 0)
}

/** Looks every 50 ms until it is stopped, which answers the highest memory seen, in MiB; 0 but on Linux. */
export function watchMemory(pid: number): { stop(): number } {
  let highest = 0
  // Not by smaps_rollup, which holds the process up while it counts.
  const look = () => {
    const pages = treeOf(pid, readProcesses()).map(each => Number(read(`/proc/${each}/statm`).split(' ')[1] ?? 0))
    highest = Math.max(
      highest,
      pages.reduce((sum, count) => sum + count * PAGE_MIB, 0),
    )
  }
  const timer = process.platform === 'linux' ? setInterval(look, 50) : undefined
  return {
    stop: () => {
      clearInterval(timer)
      if (timer) look()
      return highest
    },
  }
}

function readProcesses(): Map<number, ProcessLine> {
  const all = new Map<number, ProcessLine>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const line = read(`/proc/${name}/stat`)
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    if (fields.length < 15 || fields[0] === 'Z') continue
    all.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) })
  }
  return all
}

function treeOf(pid: number, all: ReadonlyMap<number, ProcessLine>): number[] {
  const tree: number[] = []
  const open = [pid]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!all.has(next)) continue
    tree.push(next)
    for (const [child, { parent }] of all) if (parent === next) open.push(child)
  }
  return tree
}

function kib(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

/** Empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
