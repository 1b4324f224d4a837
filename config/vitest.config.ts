import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

/** Tests that need their own process: one sets its time zone, one counts its sockets. */
const alone = ['test/unit/renderer/format/published-time.test.ts', 'test/integration/feed-socket.test.ts']
/** Tests of a large program that only test:deep installs, and of many minutes. */
const deep =
  process.env['INDEXWATCH_TEST_DEEP'] === '1'
    ? []
    : ['test/integration/libreoffice.test.ts', 'test/integration/desk-endurance.test.ts']
const seed = process.env['INDEXWATCH_TEST_SEED']

export default defineConfig({
  // Compiles the page's rune modules. They run as on a server, without effects.
  plugins: [svelte({ configFile: 'config/svelte.config.js' })],
  test: {
    environment: 'node',
    // This limit only ends a test that hangs. It does not check its speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Just below the limit of a test, so that a poll that never succeeds fails with the last value seen.
    expect: { poll: { timeout: 110_000 } },
    // A run with a seed draws examples from that seed.
    setupFiles: seed === undefined ? [] : ['test/support/property-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: alone,
          // No module of these tests keeps state, so one process may run many files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts', 'test/service/**/*.test.ts'],
          // The conformance suite needs a running service and has its own config/vitest.service.config.ts.
          exclude: ['test/service/conformance/**', ...alone, ...deep],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    globalSetup: ['test/support/child-programs.ts'],
    maxWorkers: 2,
  },
})
