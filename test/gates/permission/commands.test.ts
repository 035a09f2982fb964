import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Context, Plugin } from 'cordis'
import { describe, expect, it } from 'vitest'
import type { Mode } from '../../../src/gates/permission/index.js'
import { type GateBench, type GateOptions, openGate, rules } from './support.js'

const TOOLS: GateOptions['tools'] = {
  sh: {
    effects: ({ command, cwd }) => ({ runs: String(command), ...(cwd === undefined ? {} : { runsIn: String(cwd) }) }),
  },
}

async function decide(
  { agent, permissions }: GateBench,
  command: string,
  { origin, cwd }: { origin?: 'user'; cwd?: string } = {},
) {
  const who = origin ? { ...agent, origin } : agent
  const args = { command, ...(cwd === undefined ? {} : { cwd }) }
  return permissions.decide({ name: 'sh', arguments: args, agent: who })
}

describe('commands behind the gate', () => {
  it.each<[string, Mode, string]>([
    ['ls -la', 'ask', 'allow'],
    ['ls -la', 'plan', 'allow'],
    ['npm test', 'ask', 'ask'],
    ['npm test', 'accept-edits', 'ask'],
    ['npm test', 'plan', 'deny'],
    ['npm test', 'full-access', 'allow'],
    ['rm -rf build', 'accept-edits', 'ask'],
    ['rm -rf build', 'full-access', 'allow'],
    ['echo $(', 'full-access', 'allow'],
    ['echo $(', 'plan', 'deny'],
  ])('%s in mode %s: %s', async (command, mode, decision) => {
    expect((await decide(await openGate({ mode, tools: TOOLS }), command)).decision).toBe(decision)
  })

  it('an always-answer remembers the words of the command for the project', async () => {
    const bench = await openGate({ tools: TOOLS, answer: () => 'allow_always' })
    await bench.call('sh', { command: 'npm test' })
    expect(bench.asked[0]?.always).toBe('Always allow the command npm test * in this project')
    await bench.call('sh', { command: 'npm test -- --watch=false' })
    await bench.call('sh', { command: 'npm run lint' })
    expect(bench.asked.map(({ exec }) => exec.arguments.command)).toEqual(['npm test', 'npm run lint'])
    const stored = await bench.permissions.remembered.list()
    expect(stored[0]?.answer).toEqual({ type: 'command', words: ['npm', 'test', '*'] })
  })

  it('what may not be remembered is asked about each time, without that option', async () => {
    const bench = await openGate({ tools: TOOLS, answer: () => 'allow_always' })
    await bench.call('sh', { command: 'rm -rf build' })
    await bench.call('sh', { command: 'rm -rf build' })
    expect(bench.asked.map(({ always }) => always)).toEqual([undefined, undefined])
    expect(await bench.permissions.remembered.list()).toEqual([])
  })

  it.each<Mode>(['ask', 'accept-edits', 'plan', 'full-access'])(
    'a deny rule holds in mode %s, for what the user typed too (B62)',
    async mode => {
      const commands = rules({ allow: ['git *'], deny: ['rm *'] })
      const bench = await openGate({ mode, tools: TOOLS, permissions: { commands } })
      for (const command of ['rm x', 'git log && rm x', 'git log; (rm x)', 'X=1 rm x', 'git log $(rm x)']) {
        expect((await decide(bench, command)).decision).toBe('deny')
        expect((await decide(bench, command, { origin: 'user' })).decision).toBe('deny')
      }
    },
  )

  it('a typed command is authorised by the typing, wherever it runs', async () => {
    const bench = await openGate({ mode: 'plan', tools: TOOLS })
    expect((await decide(bench, 'rm -rf build', { origin: 'user' })).decision).toBe('allow')
    expect((await decide(bench, 'ls', { origin: 'user', cwd: bench.outside })).decision).toBe('allow')
  })

  it('a command that runs outside the roots asks, whatever it is', async () => {
    const bench = await openGate({ mode: 'accept-edits', tools: TOOLS })
    expect((await decide(bench, 'ls', { cwd: bench.outside })).decision).toBe('ask')
  })

  it('the sandbox frees ordinary commands in accept edits, and what it asks about itself is not asked twice', async () => {
    let asks = false
    const sandbox: Plugin = {
      name: 'sandbox',
      apply(ctx: Context) {
        ctx.provide('sandbox', {
          mode: 'auto',
          available: true,
          problem: undefined,
          holds: () => true,
          asks: () => asks,
        })
      },
    }
    const bench = await openGate({ mode: 'accept-edits', tools: TOOLS })
    await bench.ctx.plugin(sandbox)
    await bench.call('sh', { command: 'npm test' })
    expect(bench.asked).toEqual([])
    await bench.call('sh', { command: 'rm -rf build' })
    expect(bench.asked).toHaveLength(1)
    bench.permissions.setMode('bench', 'ask')
    await bench.call('sh', { command: 'npm test' })
    expect(bench.asked).toHaveLength(2)
    asks = true
    await bench.call('sh', { command: 'npm test' })
    expect(bench.asked).toHaveLength(2)
  })
})

describe("commands that name Deckhand's own files (J3)", () => {
  const forms: [string, (bench: GateBench) => string][] = [
    ['the path', ({ configPath }) => `cat ${configPath}`],
    ['quotes in the path', ({ stateDir }) => `cat ${stateDir}/per"miss"ions.json`],
    ['a redirection', ({ configPath }) => `echo 'x' >${configPath}`],
    ['another command behind', ({ stateDir }) => `true && sed -i s/a/b/ '${stateDir}/permissions.json'`],
    ['the folder of logs', ({ stateDir }) => `rm -rf ${stateDir}/sessions/`],
    ['a pattern', ({ stateDir }) => `cat ${stateDir}/perm*`],
    ['a pattern for a folder', ({ stateDir }) => `cat ${stateDir}/sess?ons/*`],
    ['a cd before', ({ stateDir }) => `cd ${stateDir} && cat permissions.json`],
    ['a relative path', ({ configPath }) => `cat ../${configPath.split('/').slice(-3).join('/')}`],
    ['a link', () => 'cat settings'],
    ['a link to a folder', () => 'cat state/sessions/x.jsonl'],
    ['an option', ({ configPath }) => `tar --file=${configPath} -x`],
    ['code of another language', ({ configPath }) => `python3 -c "open('${configPath}', 'w')"`],
    ['a variable', ({ configPath }) => `cat $DECKHAND_TEST_FOLDER/${configPath.split('/').at(-1)}`],
    ['text that cannot be parsed', ({ configPath }) => `cat $(( ${configPath}`],
  ]

  it.each(forms)('by %s are denied, in full access and when typed too', async (_what, command) => {
    const bench = await openGate({ mode: 'full-access', tools: TOOLS })
    const { configPath, stateDir, outside } = bench
    await mkdir(join(stateDir, 'sessions'), { recursive: true })
    await mkdir(join(configPath, '..'))
    await writeFile(configPath, '')
    await symlink(configPath, bench.path('settings'))
    await symlink(stateDir, bench.path('state'))
    process.env.DECKHAND_TEST_FOLDER = join(outside, 'config')
    try {
      const text = command(bench)
      expect([text, (await decide(bench, text)).decision]).toEqual([text, 'deny'])
      expect((await decide(bench, text, { origin: 'user' })).decision).toBe('deny')
    } finally {
      delete process.env.DECKHAND_TEST_FOLDER
    }
  })

  const wholes: [string, (bench: GateBench) => string][] = [
    ['removed', ({ stateDir }) => `rm -rf ${stateDir}`],
    ['removed with a slash', ({ stateDir }) => `rm -rf "${stateDir}"/`],
    ['removed with the folder above', ({ outside }) => `rm -rf ${outside}`],
    ['removed by a pattern', ({ stateDir }) => `rm -rf ${stateDir.slice(0, -2)}*`],
    ['removed behind a cd', ({ outside }) => `cd ${outside} && rm -rf state`],
    ['removed from within', ({ stateDir }) => `cd ${stateDir} && rm -rf .`],
    ['removed by a wrapper', ({ stateDir }) => `sudo timeout 5 rm -r ${stateDir}`],
    ['removed through a link', () => 'rm -rf state/'],
    ['removed by find', ({ stateDir }) => `find ${stateDir} -delete`],
    ['removed by git', ({ outside }) => `cd ${outside} && git clean -fdx`],
    ['removed by xargs', ({ stateDir }) => `echo ${stateDir} | xargs rm -rf`],
    ['removed by other code', ({ stateDir }) => `python3 -c "import shutil; shutil.rmtree('${stateDir}')"`],
    ['removed by what cannot be parsed', ({ stateDir }) => `rm -rf ${stateDir} $((`],
    ['moved', ({ outside }) => `mv ${join(outside, 'config')} elsewhere`],
    ['moved into', ({ outside }) => `mv config.yml ${join(outside, 'config')}`],
    ['moved into by an option', ({ outside }) => `mv -t ${join(outside, 'config')} config.yml`],
    ['copied', ({ outside }) => `cp -r ${join(outside, 'config')} elsewhere`],
    ['copied into', ({ outside }) => `cp -r evil/. ${join(outside, 'config')}/`],
    ['packed', ({ outside }) => `tar -C ${join(outside, 'config')} -c .`],
    ['searched', ({ outside }) => `grep -r key ${join(outside, 'config')}`],
    ['opened to others', ({ outside }) => `chmod -R a+rwx ${outside}`],
  ]

  it.each(wholes)(
    'are reached where the folder around them is %s, and that is denied in full access too',
    async (_what, command) => {
      const bench = await openGate({ mode: 'full-access', tools: TOOLS })
      const { configPath, stateDir } = bench
      await mkdir(join(stateDir, 'sessions'), { recursive: true })
      await mkdir(join(configPath, '..'))
      await symlink(stateDir, bench.path('state'))
      const text = command(bench)
      expect([text, (await decide(bench, text)).decision]).toEqual([text, 'deny'])
      expect((await decide(bench, text, { origin: 'user' })).decision).toBe('deny')
    },
  )

  it('other folders may be removed, moved and copied, also beside them, and files put above them', async () => {
    const bench = await openGate({ mode: 'full-access', tools: TOOLS })
    const { configPath, stateDir, outside } = bench
    await mkdir(join(stateDir, 'sessions'), { recursive: true })
    await mkdir(join(configPath, '..'))
    for (const command of [
      'rm -rf build',
      'rm -rf *',
      `rm -rf ${outside}/other`,
      `cd ${outside} && rm -rf other`,
      `cd ${stateDir} && rm -f notes.txt`,
      `mv a.txt ${outside}`,
      `cp -r src ${outside}/`,
      `cp ${join(outside, 'config', 'AGENTS.md')} .`,
      `chmod 755 ${outside}`,
      `find ${outside} -name '*.tmp' -delete`,
      `grep -r text ${outside}/other`,
      `python3 -c "open('${outside}/config/AGENTS.md')"`,
      'git clean -fdx',
    ]) {
      expect([command, (await decide(bench, command)).decision]).toEqual([command, 'allow'])
    }
  })

  it('the folders around them, and names that only look alike, are not', async () => {
    const bench = await openGate({ mode: 'full-access', tools: TOOLS })
    const { configPath, stateDir } = bench
    for (const command of [
      `ls ${stateDir}`,
      `cat ${configPath}.example`,
      `ls ${stateDir}/*`,
      'cat permissions.json',
      `cat ${join(homedir(), 'config.yml')}`,
    ]) {
      expect([command, (await decide(bench, command)).decision]).toEqual([
        command,
        command.endsWith('/*') ? 'deny' : 'allow',
      ])
    }
  })

  it('a long command is decided in bounded time and work', async () => {
    const bench = await openGate({ mode: 'full-access', tools: TOOLS })
    const command = `echo ${Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' ')} ${'*a'.repeat(500)}`
    expect((await decide(bench, command)).decision).toBe('allow')
  })
})
