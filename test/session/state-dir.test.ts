import { describe, expect, it } from 'vitest'
import { hasErrorCode } from '../../src/cards/index.js'
import { stateDirectory } from '../../src/session/index.js'

describe('stateDirectory', () => {
  it('follows the XDG rules on Linux, where a relative value counts as unset', () => {
    expect(stateDirectory({}, 'linux', '/home/u')).toBe('/home/u/.local/state/deckhand')
    expect(stateDirectory({ XDG_STATE_HOME: '/x' }, 'linux', '/home/u')).toBe('/x/deckhand')
    expect(stateDirectory({ XDG_STATE_HOME: 'x' }, 'linux', '/home/u')).toBe('/home/u/.local/state/deckhand')
    expect(stateDirectory({ XDG_STATE_HOME: '' }, 'linux', '/home/u')).toBe('/home/u/.local/state/deckhand')
  })

  it('takes the usual places of macOS and Windows', () => {
    expect(stateDirectory({ XDG_STATE_HOME: '/x' }, 'darwin', '/Users/u')).toBe(
      '/Users/u/Library/Application Support/deckhand',
    )
    expect(stateDirectory({ LOCALAPPDATA: 'D:\\Local' }, 'win32', 'C:\\Users\\u')).toBe('D:\\Local\\deckhand')
    expect(stateDirectory({}, 'win32', 'C:\\Users\\u')).toBe('C:\\Users\\u\\AppData\\Local\\deckhand')
  })

  it('lets DECKHAND_STATE_DIR override each platform, and refuses a relative one', () => {
    expect(stateDirectory({ DECKHAND_STATE_DIR: '/s/' }, 'darwin', '/Users/u')).toBe('/s/')
    expect(stateDirectory({ DECKHAND_STATE_DIR: 'E:\\s' }, 'win32', 'C:\\Users\\u')).toBe('E:\\s')
    expect(stateDirectory({ DECKHAND_STATE_DIR: '' }, 'linux', '/home/u')).toBe('/home/u/.local/state/deckhand')
    for (const relative of ['state', './state', '~/state']) {
      let failure: unknown
      try {
        stateDirectory({ DECKHAND_STATE_DIR: relative }, 'linux', '/home/u')
      } catch (error) {
        failure = error
      }
      expect(hasErrorCode(failure, 'STATE_DIR_FAILED')).toBe(true)
      expect(String(failure)).toContain(relative)
    }
  })
})
