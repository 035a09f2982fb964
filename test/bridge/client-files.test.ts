import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { methods, RequestError, type SessionUpdate } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { defaultConfig } from '../../src/config/index.js'
import { BufferEditor, type BufferOptions } from '../support/buffer-client.js'
import { foldUpdates } from '../support/fold.js'
import { type ConnectOptions, connect } from './connected-agent.js'

const BOTH = { fs: { readTextFile: true, writeTextFile: true } }

/** An agent with a client that has buffers, and one session in a folder of its own. */
async function connectEditor(options: BufferOptions = {}, more: ConnectOptions = {}) {
  const editor = new BufferEditor(options)
  const sessions = new Set<string>()
  const agent = await connect({
    capabilities: BOTH,
    serve: app => {
      app.onRequest(methods.client.fs.readTextFile, ({ params }) => {
        sessions.add(params.sessionId)
        return editor.handle('read', params) as Promise<{ content: string }>
      })
      app.onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
        sessions.add(params.sessionId)
        await editor.handle('write', params)
        return {}
      })
    },
    ...more,
  })
  const cwd = join(agent.cwd, 'w')
  await mkdir(cwd)
  const sessionId = await agent.newSession(cwd)
  return {
    ...agent,
    cwd,
    editor,
    sessionId,
    sessions,
    path: (name: string) => join(cwd, name),
    run: (text: string) => agent.prompt(sessionId, text),
    last: (from = 0) => lastCall(agent.updates(sessionId).slice(from)),
    /** Requests for files that the agent sent. */
    asked: () =>
      agent.frames.flatMap(({ dir, msg }) => {
        const { method, params } = msg as { method?: string; params?: unknown }
        return dir === 'out' && method?.startsWith('fs/') ? [{ method, params }] : []
      }),
  }
}

function lastCall(updates: SessionUpdate[]) {
  const calls = foldUpdates(updates).entries.filter(entry => entry.type === 'call')
  return calls.at(-1)?.fields ?? {}
}

const edit = (path: string, from: string, to: string) => `/edit ${path}\n\`\`\`\n${from}\n\`\`\`\n\`\`\`\n${to}\n\`\`\``

describe('a client with both fs methods', () => {
  it('has its unsaved text read, and is asked with the session and an absolute path', async () => {
    const { asked, editor, last, path, run, sessionId, sessions } = await connectEditor()
    writeFileSync(path('a.ts'), 'disk\n')
    await run('/read a.ts')
    editor.type(path('a.ts'), 'typed\n')
    await run('/read a.ts')
    expect(JSON.stringify(last().content)).toContain('typed')
    expect([...sessions]).toEqual([sessionId])
    expect(asked()[0]).toMatchObject({ params: { sessionId, path: path('a.ts') } })
  })

  it('gets an edit into its buffer and saves it, formatted, and the card shows what was saved', async () => {
    const { editor, last, path, run } = await connectEditor({ format: text => text.replaceAll('"', "'") })
    writeFileSync(path('a.ts'), 'one\r\ntwo\r\n')
    await run(edit('a.ts', 'two', '"zwei"'))
    expect(editor.textOf(path('a.ts'))).toBe("one\n'zwei'\n")
    expect(readFileSync(path('a.ts'), 'utf8')).toBe("one\r\n'zwei'\r\n")
    expect(last()).toMatchObject({
      status: 'completed',
      content: [{ type: 'diff', path: path('a.ts'), oldText: 'one\ntwo\n', newText: "one\n'zwei'\n" }],
      locations: [{ path: path('a.ts'), line: 2 }],
    })
  })

  it('is asked in the spelling of a linked cwd (B42)', async () => {
    const { asked, cwd, newSession, path, prompt } = await connectEditor()
    const linked = join(cwd, '..', 'linked')
    symlinkSync(cwd, linked)
    writeFileSync(path('a.ts'), 'one\n')
    const id = await newSession(linked)
    await prompt(id, `/read ${path('a.ts')}`)
    expect(asked()[0]).toMatchObject({ params: { path: join(linked, 'a.ts') } })
    expect(await realpath(linked)).toBe(cwd)
  })

  it('that reports an error leaves the file alone, and the card says what it reported', async () => {
    const { last, path, run } = await connectEditor({
      onRequest: ({ method }) => {
        if (method === 'write') throw RequestError.internalError({ details: 'buffer is read-only' })
      },
    })
    writeFileSync(path('a.ts'), 'one\n')
    await run(edit('a.ts', 'one', 'two'))
    expect(last().status).toBe('failed')
    expect(JSON.stringify(last().content)).toContain(
      `could not save ${path('a.ts')}: Internal error: buffer is read-only`,
    )
    expect(readFileSync(path('a.ts'), 'utf8')).toBe('one\n')
  })

  it('that does not know a file leaves it to the disk', async () => {
    const { last, path, run } = await connectEditor({ knows: () => false })
    writeFileSync(path('a.ts'), 'one\n')
    await run(edit('a.ts', 'one', 'two'))
    expect(last().status).toBe('completed')
    expect(readFileSync(path('a.ts'), 'utf8')).toBe('two\n')
  })

  it('gets a moment to reload what a command wrote, then the call says what to do', async () => {
    const { editor, last, path, run } = await connectEditor({ reloads: false })
    writeFileSync(path('a.ts'), 'one\n')
    await run('/read a.ts')
    await run('!printf "by a command\\n" > a.ts')
    await run(edit('a.ts', 'one', 'two'))
    expect(JSON.stringify(last().content)).toContain('reload it there')
    expect(readFileSync(path('a.ts'), 'utf8')).toBe('by a command\n')
    let asked = 0
    editor.options.onRequest = () => {
      if (++asked === 2) editor.reload(path('a.ts'))
    }
    await run(edit('a.ts', 'by a', 'after the'))
    expect(last().status).toBe('completed')
    expect(readFileSync(path('a.ts'), 'utf8')).toBe('after the command\n')
  })

  it('sees the same session again after a load, and what it had seen is known', async () => {
    const { connection, cwd, editor, last, path, run, sessionId, updates } = await connectEditor()
    writeFileSync(path('a.ts'), 'one\n')
    await run('/read a.ts')
    editor.type(path('a.ts'), 'typed\none\n')
    await run('/read a.ts')
    await run(edit('a.ts', 'one', 'two'))
    const live = foldUpdates(updates(sessionId), { user: false })
    const before = updates(sessionId).length
    await connection.agent.request(methods.agent.session.close, { sessionId })
    await connection.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
    expect(foldUpdates(updates(sessionId).slice(before), { user: false })).toEqual(live)
    editor.type(path('a.ts'), 'typed\ntwo\nmore\n')
    await run('/write a.ts\n```\nx\n```')
    expect(JSON.stringify(last(before).content)).toContain('has changed since it was read')
    expect(readFileSync(path('a.ts'), 'utf8')).toBe('typed\ntwo\n')
  })

  it('may be cancelled while it is asked, and while it saves', async () => {
    const { connection, editor, last, path, run, sessionId } = await connectEditor()
    writeFileSync(path('a.ts'), 'one\n')
    for (const method of ['read', 'write'] as const) {
      editor.options.onRequest = request => {
        if (request.method !== method) return undefined
        void connection.agent.notify(methods.agent.session.cancel, { sessionId })
        return new Promise(() => {})
      }
      expect(await run(edit('a.ts', 'one', 'two'))).toBe('cancelled')
      expect(last().status).toBe('failed')
    }
    expect(readFileSync(path('a.ts'), 'utf8')).toBe('one\n')
  })

  it('may go in the middle of a save: the session ends, and the file is whole', async () => {
    const { agent, connection, editor, path, run } = await connectEditor()
    await writeFile(path('a.ts'), 'one\n')
    editor.options.onRequest = request => {
      if (request.method !== 'write') return undefined
      void agent.close()
      connection.close()
      return new Promise(() => {})
    }
    await expect(run(edit('a.ts', 'one', 'two'))).rejects.toThrow()
    await agent.closed
    expect(await readFile(path('a.ts'), 'utf8')).toBe('one\n')
  })
})

describe('files stay with the disk, and no fs request is sent,', () => {
  const off = { ...defaultConfig(), clientFiles: false }
  it.each<[string, ConnectOptions]>([
    ['without fs capabilities', { capabilities: {} }],
    ['with reading alone', { capabilities: { fs: { readTextFile: true } } }],
    ['with writing alone', { capabilities: { fs: { readTextFile: false, writeTextFile: true } } }],
    ['with clientFiles off', { config: off }],
  ])('%s', async (_what, options) => {
    const { asked, editor, last, path, run } = await connectEditor({}, options)
    writeFileSync(path('a.ts'), 'one\n')
    editor.type(path('a.ts'), 'typed\n')
    await run('/read a.ts')
    expect(JSON.stringify(last().content)).toContain('one')
    await run(edit('a.ts', 'one', 'two'))
    expect(readFileSync(path('a.ts'), 'utf8')).toBe('two\n')
    expect(asked()).toEqual([])
  })

  it('for what lies outside the roots, granted or not', async () => {
    const { asked, cwd, run } = await connectEditor()
    writeFileSync(join(cwd, '..', 'out.ts'), 'one\n')
    await run('/read ../out.ts')
    expect(asked()).toEqual([])
  })
})
