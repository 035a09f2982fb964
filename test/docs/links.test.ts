import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documents, prose, readDocument, root } from './support/markdown.js'

interface Link {
  from: string
  target: string
}

const links: Link[] = documents().flatMap(from => {
  const text = prose(readDocument(from)).replace(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ from, target }))
})
const local = links.filter(({ target }) => !/^[a-z]+:/.test(target))

describe('links in the documents', () => {
  it('lead to files of the repository', () => {
    expect(local.length).toBeGreaterThan(15)
    expect(local.filter(link => !existsSync(join(root, fileOf(link))))).toEqual([])
  })

  it('lead to headings that exist', () => {
    const anchored = local.filter(({ target }) => target.includes('#'))
    expect(anchored.length).toBeGreaterThan(1)
    const broken = anchored.filter(link => !headings(fileOf(link)).includes(link.target.split('#')[1] ?? ''))
    expect(broken).toEqual([])
  })

  it('lead from the README to every page of the documentation', () => {
    const pages = documents().filter(name => name.startsWith('docs/'))
    const linked = new Set(links.filter(({ from }) => from === 'README.md').map(({ target }) => target.split('#')[0]))
    expect(pages.filter(page => !linked.has(page))).toEqual([])
  })

  it('leave the repository only for hosts that everybody knows', () => {
    const hosts = links.filter(({ target }) => /^[a-z]+:/.test(target)).map(({ target }) => new URL(target).host)
    const known = ['agentclientprotocol.com', 'modelcontextprotocol.io', 'keepachangelog.com']
    expect(hosts.filter(host => !known.includes(host))).toEqual([])
  })
})

describe('documents and picture', () => {
  it('name no directory of the machine that made them', () => {
    const places = [root, homedir()].filter(place => place.length > 1)
    const holds = (name: string) => places.some(place => readDocument(name).includes(`${place}/`))
    expect([...documents(), 'docs/pictures/session.ndjson'].filter(holds)).toEqual([])
    expect(readDocument('docs/pictures/session.ndjson')).not.toMatch(/\/tmp\/|file:/)
  })
})

function fileOf({ from, target }: Link): string {
  const [path = ''] = target.split('#')
  return path === '' ? from : normalize(join(dirname(from), path))
}

/** The anchors that the headings of a page have. */
function headings(name: string): string[] {
  const found = prose(readDocument(name)).matchAll(/^#+ (.+)$/gm)
  return [...found].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
