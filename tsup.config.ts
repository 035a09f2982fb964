import { defineConfig } from 'tsup'

export default defineConfig([
  {
    // The bin: one file with everything inside, so that an editor waits for one read and one parse.
    entry: { cli: 'src/cli/cli.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    noExternal: [/.*/],
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  },
  {
    entry: { index: 'src/index.ts', host: 'src/host.ts', testing: 'src/testing/index.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: true,
  },
])
