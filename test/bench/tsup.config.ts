import { defineConfig, type Options } from 'tsup'

const common: Options = {
  outDir: 'node_modules/.cache/deckhand-bench',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  splitting: false,
  silent: true,
}

/** The benchmark, and the programs that it starts, each as a file of its own. */
export default defineConfig([
  {
    ...common,
    entry: {
      main: 'test/bench/main.ts',
      'floor-agent': 'test/bench/agents/floor-agent.ts',
      'loop-watch': 'test/bench/agents/loop-watch.ts',
      'many-tools-server': 'test/bench/growth/many-tools-server.ts',
      'scripted-model': 'test/bench/agents/scripted-model.ts',
    },
  },
  {
    ...common,
    entry: { 'packages-agent': 'test/bench/agents/packages-agent.ts' },
    // All in one file, as in our own binary: what is compared is the code, not the search for files.
    noExternal: [/.*/],
  },
])
