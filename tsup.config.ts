import { defineConfig } from 'tsup'
import { lateMessageSchemas, usedZodOnly } from './bundle.config.js'

export default defineConfig([
  {
    // The bin: everything inside, and in the files that a start reads only what the first answer needs.
    entry: { cli: 'src/cli/cli.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    noExternal: [/.*/],
    esbuildPlugins: [lateMessageSchemas(), usedZodOnly()],
    esbuildOptions(options) {
      // Names stay, for the stacks in the log, and lines stay short, for what Node prints of a fault.
      options.minifyWhitespace = true
      options.minifySyntax = true
      options.lineLimit = 200
    },
    banner: {
      // All that bundled CommonJS can require are Node's own modules.
      js: '#!/usr/bin/env node\nconst require = process.getBuiltinModule;',
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
