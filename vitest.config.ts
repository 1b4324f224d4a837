import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

/** One sets the time zone of its process, one counts its sockets. */
const alone = ['test/unit/renderer/format/published-time.test.ts', 'test/integration/feed-socket.test.ts']
const seed = process.env['INDEXWATCH_TEST_SEED']

export default defineConfig({
  // For the page's rune modules; they run as on a server, without effects.
  plugins: [svelte({ configFile: 'svelte.config.js' })],
  test: {
    environment: 'node',
    // Ends what hangs; says nothing of how fast a test is on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes when it comes: the test's own limit ends what never does, with the last answer seen.
    expect: { poll: { timeout: 110_000 } },
    // A run with a seed draws other examples than the run before.
    setupFiles: seed === undefined ? [] : ['test/support/property-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: alone,
          // Nothing there or in `integration` keeps state in a module, so that one process may run many files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts', 'test/service/**/*.test.ts'],
          // Has a service of its own to ask: vitest.service.config.ts.
          exclude: ['test/service/conformance/**', ...alone],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    globalSetup: ['test/support/child-programs.ts'],
    maxWorkers: 2,
  },
})
