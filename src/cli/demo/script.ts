/** The scratch project of the demo. */
export const files: Record<string, string> = {
  'package.json': '{ "name": "scratch", "type": "module" }\n',
  'src/greet.js': `export function greet(name) {
  return 'Hello ' + name
}

export function shout(name) {
  return greet(name).toUpperCase()
}
`,
  'test.js': `import assert from 'node:assert/strict'
import { greet, shout } from './src/greet.js'

assert.equal(greet('Ada'), 'Hello, Ada!')
assert.equal(shout('Ada'), 'HELLO, ADA!')
console.log('2 checks passed')
`,
}

/** What the user of the demo types, one prompt after another. */
export const prompts: readonly string[] = [
  '/todo {"entries": [{"content": "Find out why the test fails", "status": "in_progress"}, {"content": "Fix greet", "status": "pending"}]}',
  '!node test.js',
  '/grep pattern="export function" path=src',
  '/read src/greet.js',
  `/edit src/greet.js
\`\`\`
  return 'Hello ' + name
\`\`\`
\`\`\`
  return \`Hello, \${name}!\`
\`\`\``,
  '!node test.js',
  `/write NOTES.md
\`\`\`
# Greetings

A greeting has a comma and an exclamation mark.
\`\`\``,
  '/todo {"entries": [{"content": "Find out why the test fails", "status": "completed"}, {"content": "Fix greet", "status": "completed"}]}',
]
