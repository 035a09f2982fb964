import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { putTree } from '../../support/tree.js'
import { elsewhere, hasBubblewrap, listen, openCell, openFolder } from './support.js'

describe.runIf(hasBubblewrap)('a command in the sandbox', () => {
  test('works in its workspace, in which it may change files', async () => {
    const cell = await openCell()
    writeFileSync(join(cell.dir, 'a.txt'), 'here')
    const run = await cell.run('cat a.txt; mkdir sub; echo new > sub/b.txt; rm a.txt; pwd')
    expect(run).toMatchObject({ isError: false, text: `here${cell.dir}\n` })
    expect(readFileSync(join(cell.dir, 'sub/b.txt'), 'utf8')).toBe('new\n')
    expect(existsSync(join(cell.dir, 'a.txt'))).toBe(false)
  })

  test('changes nothing outside of it, through a link neither', async () => {
    const outside = openFolder()
    const cell = await openCell()
    symlinkSync(outside, join(cell.dir, 'way-out'))
    await cell.run(`echo x > ${outside}/a; echo x > way-out/b; echo x > ../c; ln -s /etc/passwd p; echo x >> p; true`)
    expect(existsSync(join(outside, 'a'))).toBe(false)
    expect(existsSync(join(outside, 'b'))).toBe(false)
    expect(readFileSync('/etc/passwd', 'utf8')).not.toMatch(/^x$/m)
    expect((await cell.run('touch /etc/deckhand-test || touch /usr/deckhand-test')).isError).toBe(true)
  })

  test('reads no secrets of the home directory, but the rest of it', async () => {
    const home = openFolder(elsewhere)
    await putTree(home, {
      '.ssh/id_ed25519': 'SECRET',
      '.config/gh/hosts.yml': 'SECRET',
      '.netrc': 'SECRET',
      '.gitconfig': 'plain',
      'state/log': 'SECRET',
      key: 'SECRET',
    })
    symlinkSync(join(home, 'key'), join(home, '.git-credentials'))
    const cell = await openCell({ home, hidden: [join(home, 'state')], read: [home] })
    const shown = await cell.run(`cd ${home}; cat .gitconfig; cat state/log`)
    expect(shown.text).toContain('plain')
    expect(shown.text).not.toContain('SECRET')
    const closed = await openCell({ home, hidden: [join(home, 'state')] }, home)
    const run = await closed.run(
      'cat .ssh/id_ed25519 .config/gh/hosts.yml .netrc .git-credentials key state/log; ls .ssh',
    )
    expect(run.text).not.toMatch(/SECRET|^id_ed25519$/m)
    expect((await closed.run('cat .ssh/id_ed25519')).isError).toBe(true)
  })

  test('reads no files of the workspace whose names say secret, unless the config says so', async () => {
    const dir = openFolder()
    await putTree(dir, {
      '.env': 'SECRET',
      'pkg/api/.env.local': 'SECRET',
      'certs/server.key': 'KEY',
      '.npmrc': '//registry.example/:_authToken=SECRET',
      'plain/.npmrc': 'save-exact=true',
      '.env.example': 'open',
      'src/id_map.ts': 'open',
      'src/credentials.py': 'open',
    })
    const cell = await openCell({ read: [join(dir, 'certs')] }, dir)
    const run = await cell.run('cat .env pkg/api/.env.local .npmrc; cat certs/* plain/.npmrc .env.example src/*')
    expect(run.text).not.toContain('SECRET')
    for (const word of ['KEY', 'save-exact=true', 'open']) expect(run.text).toContain(word)
    expect(run.text.match(/open/g)).toHaveLength(3)
    expect(readFileSync(join(dir, '.env'), 'utf8')).toBe('SECRET')
  })

  test('reaches neither a server of this machine nor a name server', async () => {
    const connections: string[] = []
    const server = createServer(socket => {
      connections.push('tcp')
      socket.end('HELLO')
    })
    const port = await listen(server, 0)
    const cell = await openCell()
    const read = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`
    const run = await cell.run(`bash -c '${read}'; getent hosts example.com`)
    expect(run).toMatchObject({ isError: true, meta: { sandbox: { obstacles: expect.arrayContaining(['network']) } } })
    expect(connections).toEqual([])
    const open = await openCell({ network: true })
    expect((await open.run(`bash -c '${read}'`)).text).toBe('HELLO')
    expect(connections).toEqual(['tcp'])
  })

  test('reaches no socket in the file system behind which a process outside listens', async () => {
    const dir = openFolder()
    const home = openFolder(elsewhere)
    const connections: string[] = []
    for (const path of [join(home, 'agent.sock'), join(dir, 'editor.sock')]) {
      await listen(
        createServer(() => void connections.push(path)),
        path,
      )
    }
    const cell = await openCell({ home }, dir)
    const connect = (path: string) =>
      `node -e 'require("net").connect("${path}").on("connect",()=>console.log("IN")).on("error",e=>console.log(e.code))'`
    const run = await cell.run([join(home, 'agent.sock'), join(dir, 'editor.sock')].map(connect).join(';'))
    expect(run.text).toMatch(/^E[A-Z]+\nE[A-Z]+\n/)
    expect(connections).toEqual([])
  })

  test('changes nothing that git, editors or agents run later, and cannot move it out of the way', async () => {
    const dir = openFolder()
    await putTree(dir, {
      '.git/config': '[core]\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/modules/lib/HEAD': 'x',
      '.git/modules/lib/config': '[core]\n',
      '.mcp.json': '{}',
      'AGENTS.md': 'be kind',
      '.vscode/tasks.json': '{}',
      'pkg/.github/workflows/ci.yml': 'on: push',
      'pkg/.git/config': '[core]\n',
    })
    const cell = await openCell({}, dir)
    const files = [
      '.git/config',
      '.git/modules/lib/config',
      '.mcp.json',
      'AGENTS.md',
      '.vscode/tasks.json',
      'pkg/.git/config',
    ]
    const targets = [...files, '.git/hooks/pre-commit', '.vscode/launch.json', 'pkg/.github/workflows/ci.yml']
    for (const target of targets) {
      const run = await cell.run(`echo evil > ${target} || cp /dev/null ${target}`)
      expect([target, run.isError]).toEqual([target, true])
    }
    for (const target of ['.git', '.vscode', '.git/hooks', 'AGENTS.md']) {
      expect([target, (await cell.run(`mv ${target} x || rm -rf ${target}`)).isError]).toEqual([target, true])
    }
    for (const file of files) expect(readFileSync(join(dir, file), 'utf8')).not.toContain('evil')
    expect((await cell.run('echo data > .git/index')).isError).toBe(false)
  })

  test('is told of a steering file that it made, since nothing could cover it before', async () => {
    const cell = await openCell()
    const run = await cell.run('echo {} > .mcp.json; mkdir -p .zed; git init -q .')
    expect(run.meta).toMatchObject({
      sandbox: { made: ['.zed', '.mcp.json', '.git'].map(name => join(cell.dir, name)) },
    })
    expect(run.text).toContain('.mcp.json')
    expect((await cell.run('echo x > .git/hooks/pre-commit')).isError).toBe(true)
  })

  test('finds no way out by /proc, mounts, devices or namespaces', async () => {
    const outside = openFolder()
    writeFileSync(join(outside, 'secret'), 'SECRET')
    const cell = await openCell({ hidden: [outside] })
    const victim = process.pid
    const tries = [
      `cat /proc/1/root${outside}/secret`,
      `cat /proc/self/root${outside}/secret`,
      `cat /proc/${victim}/environ`,
      `kill -0 ${victim} && echo ALIVE`,
      'mount -o remount,rw / && touch /usr/deckhand-test',
      `umount ${outside} && cat ${outside}/secret`,
      'mknod disk b 254 0 && head -c 1 disk',
      'cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo SYSCTL',
      `unshare -Urm sh -c 'umount ${outside}; cat ${outside}/secret; mount -o remount,bind,rw /usr; touch /usr/deckhand-test'`,
      `bwrap --unshare-user --dev-bind / / --cap-add ALL sh -c 'umount ${outside}; cat ${outside}/secret; mount -o remount,bind,rw / && echo REMOUNTED'`,
      `chroot /proc/1/root cat ${outside}/secret`,
      'nsenter -t 1 -m ls / && echo ENTERED',
      'head -c 1 /dev/mem || head -c 1 /dev/sda || head -c 1 /dev/vda',
    ]
    for (const attempt of tries) {
      const { text } = await cell.run(`${attempt} 2>&1; exit 0`)
      expect([attempt, text]).toEqual([attempt, expect.not.stringMatching(/SECRET|ALIVE|SYSCTL|REMOUNTED/)])
    }
    expect(existsSync('/usr/deckhand-test')).toBe(false)
  })

  test('gets no variable that leads to an agent outside', async () => {
    process.env.SSH_AUTH_SOCK = '/nowhere/agent'
    onTestFinished(() => void delete process.env.SSH_AUTH_SOCK)
    const cell = await openCell()
    const run = await cell.run('echo "$SSH_AUTH_SOCK $DECKHAND_SANDBOX $TMPDIR"; test -n "$PATH"')
    expect(run).toMatchObject({ isError: false, text: ' 1 /tmp\n' })
  })

  test('leaves nothing in the workspace by its protection', async () => {
    const cell = await openCell()
    mkdirSync(join(cell.dir, 'empty'))
    const run = await cell.run('find . -mindepth 1')
    expect(run.text).toBe('./empty\n')
  })
})
