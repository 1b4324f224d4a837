import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

/** Sets the time zone of its process. */
const zoned = 'test/unit/renderer/format/published-time.test.ts'
const seed = process.env['INDEXWATCH_TEST_SEED']

export default defineConfig({
  // For the page's rune modules; they run as on a server, without effects.
  plugins: [svelte({ configFile: 'svelte.config.js' })],
  test: {
    environment: 'node',
    // Ends what hangs; says nothing of how fast a test is on a busy machine.
    testTimeout: 120_000,
    // A run with a seed draws other examples than the run before.
    setupFiles: seed === undefined ? [] : ['test/support/property-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [zoned],
          // Nothing there keeps state in a module, so that one process may run many files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [zoned, 'test/integration/**/*.test.ts', 'test/service/**/*.test.ts', 'test/*.test.ts'],
          // Has a service of its own to ask: vitest.service.config.ts.
          exclude: ['test/service/conformance/**', 'node_modules/**'],
        },
      },
    ],
    globalSetup: ['test/support/child-programs.ts'],
    maxWorkers: 2,
  },
})
