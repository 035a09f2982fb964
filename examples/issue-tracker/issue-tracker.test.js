import { createServer } from 'node:http'
import test from 'node:test'
import { toolContract } from 'deckhand/testing'
import * as issueTracker from './issue-tracker.js'

const issue = { id: 7, title: 'Crash on start', state: 'open', body: 'It ends at once.' }

test('issues in a file', async t => {
  const files = { 'issues.json': JSON.stringify([issue, { id: 8, title: 'Long', body: 'x'.repeat(50_000) }]) }
  /** @type {import('deckhand/testing').ToolSample[]} */
  const samples = [
    { name: 'found', args: { id: 7 }, files, expect: { card: 'generic', text: '#7 Crash on start (open)' } },
    { name: 'long', args: { id: 8 }, files, expect: { text: '[cut]' } },
    { name: 'missing', args: { id: 9 }, files, expect: { code: 'NOT_FOUND' } },
    { name: 'no list', args: { id: 9 }, files: { 'issues.json': '[' }, expect: { code: 'FETCH_FAILED' } },
  ]
  for (const check of toolContract(issueTracker, samples)) await t.test(check.name, check.run)
})

test('issues of a server', async t => {
  const server = createServer((request, response) => {
    if (request.url === '/issues/7') response.end(JSON.stringify(issue))
    else if (request.url === '/issues/6') response.writeHead(302, { location: 'http://example.com/' }).end()
    // 5 never answers.
    else if (request.url !== '/issues/5') response.writeHead(404).end()
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  /** @type {import('deckhand/testing').ToolSample[]} */
  const samples = [
    { name: 'found', args: { id: 7 }, expect: { card: 'generic', text: 'It ends at once.' } },
    { name: 'missing', args: { id: 9 }, expect: { code: 'NOT_FOUND' } },
    { name: 'moved', args: { id: 6 }, expect: { code: 'FETCH_FAILED' } },
    { name: 'silent', args: { id: 5 }, untilStopped: true },
  ]
  const config = { url: `http://127.0.0.1:${port}/issues/{id}` }
  for (const check of toolContract(issueTracker, samples, { config })) await t.test(check.name, check.run)
})
