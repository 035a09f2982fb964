import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { credentialsPath, readCredentials, storeCredential } from '../../src/config/index.js'
import { isPosix } from '../support/platform.js'

function makeDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-keys-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const modeOf = (path: string) => statSync(path).mode & 0o777

it('a key is stored for its owner only, in a folder for its owner only', async () => {
  const directory = join(makeDirectory(), 'config', 'deckhand')
  const path = join(directory, 'credentials.yml')
  expect(await readCredentials(path)).toEqual({})
  expect(await storeCredential(path, 'deepseek', 'sk-1')).toBe(true)
  expect(await storeCredential(path, 'deepseek', 'sk-1')).toBe(false)
  expect(await readCredentials(path)).toEqual({ deepseek: 'sk-1' })
  expect(readFileSync(path, 'utf8')).toMatch(/^# Keys of model providers/)
  if (isPosix) {
    expect(modeOf(path)).toBe(0o600)
    expect(modeOf(directory)).toBe(0o700)
  }
  expect(readdirSync(directory)).toEqual(['credentials.yml'])
})

it('other entries and comments stay, and a file that was open to others is closed', async () => {
  const path = join(makeDirectory(), 'credentials.yml')
  writeFileSync(path, '# mine\nopenai: sk-o # work\nodd: [1]\nanthropic: sk-a\n')
  chmodSync(path, 0o644)
  await storeCredential(path, 'anthropic', 'sk-b')
  await storeCredential(path, 'x', 'yes')
  expect(readFileSync(path, 'utf8')).toBe('# mine\nopenai: sk-o # work\nodd: [ 1 ]\nanthropic: sk-b\nx: yes\n')
  if (isPosix) expect(modeOf(path)).toBe(0o600)
  expect(await readCredentials(path)).toEqual({ openai: 'sk-o', anthropic: 'sk-b', x: 'yes' })
})

it('a key that YAML would read as something else comes back as it was', async () => {
  const path = join(makeDirectory(), 'credentials.yml')
  for (const key of ['123456', 'true', '0x1F', 'a: b', '#x', '- y', "it's", '*a', '~']) {
    await storeCredential(path, 'p', key)
    expect(await readCredentials(path)).toEqual({ p: key })
  }
})

it('removing a key leaves the others; removing what is not there changes nothing', async () => {
  const path = join(makeDirectory(), 'credentials.yml')
  expect(await storeCredential(path, 'a', undefined)).toBe(false)
  expect(existsSync(path)).toBe(false)
  await storeCredential(path, 'a', '1')
  await storeCredential(path, 'b', '2')
  expect(await storeCredential(path, 'a', undefined)).toBe(true)
  expect(await storeCredential(path, 'a', undefined)).toBe(false)
  expect(await readCredentials(path)).toEqual({ b: '2' })
  await storeCredential(path, 'b', undefined)
  expect(await storeCredential(path, 'c', '3')).toBe(true)
  expect(await readCredentials(path)).toEqual({ c: '3' })
})

it.runIf(isPosix)('a file that is a link stays one', async () => {
  const directory = makeDirectory()
  mkdirSync(join(directory, 'dotfiles'))
  const real = join(directory, 'dotfiles', 'keys.yml')
  writeFileSync(real, 'a: 1x\n')
  const path = join(directory, 'credentials.yml')
  symlinkSync(real, path)
  await storeCredential(path, 'b', '2x')
  expect(readFileSync(real, 'utf8')).toBe('a: 1x\nb: 2x\n')
  expect(realpathSync(path)).toBe(real)
})

it.each(['a: [', '- x', 'just words', 'a: 1\na: 2'])(
  'a file that is no list of keys is an error without its text: %j',
  async text => {
    const path = join(makeDirectory(), 'credentials.yml')
    writeFileSync(path, text)
    for (const attempt of [() => readCredentials(path), () => storeCredential(path, 'p', 'k')]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'CREDENTIALS_FAILED',
        message: expect.stringContaining(path),
      })
    }
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

it('the file stands beside the usual place of the config, wherever DECKHAND_CONFIG points', () => {
  const env = { DECKHAND_CONFIG: '/repo/config.yml', XDG_CONFIG_HOME: '/x' }
  expect(credentialsPath({ env, platform: 'linux', home: '/h' })).toBe('/x/deckhand/credentials.yml')
  expect(credentialsPath({ env: {}, platform: 'win32', home: 'C:\\u' })).toBe(
    'C:\\u\\AppData\\Roaming\\deckhand\\credentials.yml',
  )
})
