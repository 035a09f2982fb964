import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Ajv from 'ajv'
import { expect, it } from 'vitest'
import { version } from '../../src/version.js'

const root = resolve(import.meta.dirname, '../..')
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
