import { describe, expect, it } from 'vitest'
import { toAuthMethods } from '../../src/bridge/connect/auth-methods.js'

const login = { command: '/bin/node', args: ['/opt/deckhand/cli.js', 'login'] }

describe('ways to log in', () => {
  it('offers a terminal login to a client that declares auth.terminal', () => {
    expect(toAuthMethods({ auth: { terminal: true } }, login)).toMatchObject([{ type: 'terminal', args: ['--login'] }])
  })

  it('offers the older form, with the whole command, to a client that declares terminal-auth in _meta', () => {
    const [method] = toAuthMethods({ _meta: { 'terminal-auth': true } }, login)
    expect(method).not.toHaveProperty('type')
    expect(method?._meta?.['terminal-auth']).toEqual({
      label: 'Log in to a model provider',
      command: '/bin/node',
      args: ['/opt/deckhand/cli.js', 'login'],
    })
  })

  it.each([
    [undefined],
    [{}],
    [{ auth: { terminal: false } }],
    [{ _meta: { 'terminal-auth': 'yes' } }],
    [{ _meta: null }],
  ])('offers nothing to a client that declares %j', capabilities => {
    expect(toAuthMethods(capabilities, login)).toEqual([])
  })

  it('offers nothing where no command to log in is known', () => {
    expect(toAuthMethods({ auth: { terminal: true } }, undefined)).toEqual([])
  })
})
