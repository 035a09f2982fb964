import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Much of a test's time is the wait for a child process: two workers on two cores would leave them idle.
    maxWorkers: 4,
    // A worker loads the sources and the packages once, not once for each file; test/support/setup.ts watches what files leave.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    // Bounds for what never ends, on a machine that is busy with other things too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/build.ts'],
  },
})
