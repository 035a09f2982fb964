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
  'test.js': `import { greet, shout } from './src/greet.js'

const checks = [
  ['greet', greet('Ada'), 'Hello, Ada!'],
  ['shout', shout('Ada'), 'HELLO, ADA!'],
]
const failed = checks.filter(([, actual, expected]) => actual !== expected)
for (const [name, actual, expected] of failed) {
  console.log(name + ': expected "' + expected + '", got "' + actual + '"')
}
console.log(checks.length - failed.length + ' of ' + checks.length + ' checks passed')
process.exitCode = failed.length === 0 ? 0 : 1
`,
}

/** What the user of the demo types, one prompt after another. */
export const prompts: readonly string[] = [
  '/todo {"entries": [{"content": "Find out why the test fails", "status": "in_progress"}, {"content": "Fix greet", "status": "pending"}]}',
  '!node test.js',
  '/grep pattern="export function" path=src',
  '/read path=src/greet.js limit=3',
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

/** What the user of the demo asks of a model. */
export const task =
  'The test of this project fails. Run it with "node test.js", find out why, fix the code (not the test), and run it again until it passes.'
