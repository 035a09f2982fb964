import { versions } from './versions.js'

/** The files of a new plugin by their path: a package with one tool and its test. */
export function pluginFiles(name: string): Record<string, string> {
  return {
    'package.json': json({
      name,
      version: '0.1.0',
      description: 'A plugin for Deckhand.',
      type: 'module',
      exports: './dist/index.js',
      files: ['dist', '!dist/*.test.js'],
      engines: { node: '>=20.19' },
      scripts: { build: 'tsc', prepack: 'tsc', test: 'tsc && node --test dist/index.test.js' },
      dependencies: { deckhand: versions.deckhand },
      devDependencies: { '@types/node': versions.nodeTypes, typescript: versions.typescript },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2023',
        module: 'nodenext',
        strict: true,
        verbatimModuleSyntax: true,
        skipLibCheck: true,
        types: ['node'],
        rootDir: 'src',
        outDir: 'dist',
      },
      include: ['src'],
    }),
    '.gitignore': 'node_modules/\ndist/\n',
    'README.md': readme(name),
    'src/index.ts': source(name),
    'src/index.test.ts': TEST,
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function source(name: string): string {
  return `import { appliedHunks, defineTool, type FileDiff, type PluginContext, ToolError } from 'deckhand'

export const name = '${name}'
export const inject = ['tools', 'files']

export function apply(ctx: PluginContext): void {
  ctx.tools.register(
    defineTool({
      name: 'trim_lines',
      description: 'Remove spaces and tabs at the ends of the lines of a text file.',
      parameters: {
        path: { type: 'string', required: true, description: 'The file.' },
      },

      // What the tool does. The text is for the model, meta for the card.
      async execute({ path }, { agent, signal }) {
        const { realPath } = await ctx.files.resolve(agent, path)
        return ctx.files.lock(realPath, async () => {
          const replacing = await ctx.files.read(agent, path, signal)
          if (replacing.text === undefined) throw new ToolError('BINARY_FILE', \`\${path} is not text.\`)
          // With the byte order mark, which stays.
          const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(replacing.bytes)
          const after = before.replace(/[ \\t]+$/gm, '')
          if (after === before) return [{ type: 'text', text: \`Nothing to trim in \${path}.\` }]
          await ctx.files.write(agent, path, Buffer.from(after), { replacing, signal })
          const { hunks } = appliedHunks(path, before, after)
          return { content: [{ type: 'text', text: \`Trimmed \${path}.\` }], meta: { hunks } }
        })
      },

      // How it looks: before it runs from the arguments alone, afterwards with what came of it.
      presentCall: ({ path }) => ({ card: 'generic', kind: 'edit', title: \`Trim \${path}\`, locations: [{ path }] }),
      presentResult(_args, { meta }) {
        const { hunks } = (meta ?? {}) as { hunks?: FileDiff[] }
        return hunks && { card: 'diff', diffs: hunks }
      },

      // What it touches: whether it may is decided from this.
      effects: ({ path }) => ({ reads: [path], writes: [path] }),
    }),
  )
}
`
}

const TEST = `import { test } from 'node:test'
import { toolContract } from 'deckhand/testing'
import * as plugin from './index.js'

// Each sample is a call in a scratch folder with these files, and what must come of it.
const checks = toolContract(plugin, [
  {
    name: 'spaces at the ends of lines',
    args: { path: 'a.txt' },
    files: { 'a.txt': 'one  \\ntwo\\nthree\\t\\n' },
    expect: { card: 'diff', files: { 'a.txt': 'one\\ntwo\\nthree\\n' } },
  },
  {
    name: 'nothing to do',
    args: { path: 'a.txt' },
    files: { 'a.txt': 'one\\n' },
    expect: { text: 'Nothing to trim', files: { 'a.txt': 'one\\n' } },
  },
  { name: 'no such file', args: { path: 'b.txt' }, expect: { code: 'NOT_FOUND' } },
])

for (const { name, run } of checks) test(name, run)
`

function readme(name: string): string {
  return `# ${name}

A plugin for Deckhand with one tool, \`trim_lines\`.

\`\`\`sh
npm install
npm test
npx deckhand call trim_lines '{"path":"README.md"}' --plugin .
\`\`\`

Where the registry has no \`deckhand\`, the first is \`npm install --no-save PATH\`, with the path of its folder or tarball.

To have it in the editor, name this folder in Deckhand's config file (\`npx deckhand doctor\` says where that is):

\`\`\`yaml
plugins:
  - path: /absolute/path/of/${name}
\`\`\`

After a change: \`npm run build\` here, \`/reload\` there.
`
}
