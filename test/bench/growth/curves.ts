import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BenchClient } from '../client.js'
import { median } from '../report.js'
import { type Stand, settle } from '../stand.js'
import { toPrompt } from '../steps.js'
import type { Curve } from './curve.js'

/** What a call or a turn costs as something else grows; of our agent only. */
export type MakeCurve = (stand: Stand) => Promise<Curve>

const CALLS = 10

/** One session, its turns one after another: what a short turn costs late in a long session. */
export const sessionLength: MakeCurve = async stand => {
  const root = stand.scratch.project()
  const last = 2000
  const points: [number, number][] = []
  await stand.withAgent('ours', root, async agent => {
    const sessionId = await agent.newSession(root)
    let window: number[] = []
    for (let turn = 1; turn <= last; turn++) {
      const { ms } = await agent.prompt(sessionId, '!true')
      window.push(ms)
      if (turn % 200 !== 0 && turn !== 50) continue
      points.push([turn, median(window)])
      window = []
    }
  })
  return {
    name: 'session-length',
    title: 'A turn of one command, by turns before it',
    of: 'turns in the session',
    points,
  }
}

export const openSessions: MakeCurve = async stand => {
  const root = stand.scratch.project()
  const points: [number, number][] = []
  await stand.withAgent('ours', root, async agent => {
    const ids: string[] = []
    for (const count of [1, 8, 16, 32, 64]) {
      while (ids.length < count) ids.push(await agent.newSession(root))
      points.push([count, await callMs(agent, ids.at(-1) ?? '', root)])
    }
  })
  return { name: 'open-sessions', title: 'A shell call, by open sessions', of: 'sessions open in the process', points }
}

/** Tools of an MCP server: the model is told of all of them at each step, which is part of the cost. */
export const manyTools: MakeCurve = async stand => {
  const points: [number, number][] = []
  for (const count of [0, 500, 1000, 2000]) {
    const root = stand.scratch.project()
    await stand.withAgent('ours', root, async agent => {
      const server = {
        name: 'many',
        command: process.execPath,
        args: [resolve(import.meta.dirname, 'many-tools-server.js'), String(count)],
        env: [],
      }
      const mcpServers = count === 0 ? [] : [server]
      const { sessionId } = await agent.request('session/new', { cwd: root, mcpServers })
      points.push([count, await callMs(agent, sessionId, root)])
    })
  }
  return { name: 'tools', title: 'A shell call, by tools', of: 'tools of an MCP server', points }
}

export const workspaceSize: MakeCurve = async stand => {
  const points: [number, number][] = []
  for (const count of [100, 5000, 10_000, 50_000]) {
    const root = stand.scratch.project()
    for (let folder = 0; folder < count / 100; folder++) {
      const path = join(root, 'src', `part${folder}`)
      mkdirSync(path, { recursive: true })
      for (let file = 0; file < 100; file++) writeFileSync(join(path, `file${file}.ts`), `export const n = ${file}\n`)
    }
    await stand.withAgent('ours', root, async agent => {
      const sessionId = await agent.newSession(root)
      points.push([count, await callMs(agent, sessionId, root)])
    })
  }
  return { name: 'workspace', title: 'A shell call, by files in the workspace', of: 'files', points }
}

/** The median of three turns, after one that warms up. */
async function callMs(agent: BenchClient, sessionId: string, root: string): Promise<number> {
  await settle()
  const text = toPrompt({ name: 'shell', root, count: CALLS })
  const taken: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    const { ms, calls } = await agent.prompt(sessionId, text)
    if (turn > 0) taken.push(ms / calls)
  }
  return median(taken)
}
