import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import Ajv from 'ajv'
import { expect, it } from 'vitest'
import { version } from '../../src/version.js'
import { makeDirectory } from './support.js'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const agent = JSON.parse(readFileSync(join(root, 'registry/agent.json'), 'utf8'))

it('the entry names this version and starts the agent by its package', () => {
  const validate = new Ajv().compile({
    type: 'object',
    required: ['id', 'name', 'version', 'description', 'license', 'license_url', 'distribution'],
    properties: {
      id: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
      version: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+' },
      distribution: {
        type: 'object',
        additionalProperties: false,
        required: ['npx'],
        properties: {
          npx: {
            type: 'object',
            additionalProperties: false,
            required: ['package'],
            properties: { package: { type: 'string' }, args: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
    },
  })
  expect(validate(agent), JSON.stringify(validate.errors)).toBe(true)
  expect(agent).toMatchObject({ version, distribution: { npx: { package: `deckhand@${version}`, args: ['acp'] } } })
})

it('the icon is of 16 by 16 and of the current colour alone', () => {
  const icon = readFileSync(join(root, 'registry/icon.svg'), 'utf8')
  expect(icon).toMatch(/<svg [^>]*width="16" height="16" viewBox="0 0 16 16"/)
  const colours = [...icon.matchAll(/(?:fill|stroke|color)="([^"]*)"/g)].map(([, colour]) => colour)
  expect(colours).toContain('currentColor')
  expect(colours.filter(colour => colour !== 'currentColor' && colour !== 'none')).toEqual([])
  expect(icon).not.toMatch(/#[0-9a-f]{3}|rgb|url\(|<style|<image|<script/i)
})

it('the packed program alone answers initialize in an empty home', async () => {
  const directory = makeDirectory('pack')
  const home = makeDirectory('home')
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', directory], {
    cwd: root,
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  })
  const answer = JSON.parse(stdout)
  const [{ filename }] = Array.isArray(answer) ? answer : Object.values(answer)
  await run('tar', ['-xzf', join(directory, filename), '-C', directory])
  const { bin } = JSON.parse(readFileSync(join(directory, 'package/package.json'), 'utf8'))
  const started = promisify(execFile)(
    process.execPath,
    [join(directory, 'package', bin.deckhand), ...agent.distribution.npx.args],
    { cwd: home, env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home, SystemRoot: process.env.SystemRoot } },
  )
  const params = { protocolVersion: 1, clientCapabilities: { auth: { terminal: true } } }
  started.child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const lines = (await started).stdout.trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: 1, result: { protocolVersion: 1 } })
  expect((await started).stderr).toBe('')
})
