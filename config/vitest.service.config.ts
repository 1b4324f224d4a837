import { defineConfig } from 'vitest/config'

/** Configuration of the conformance suite, started by scripts/service.js. */
export default defineConfig({
  test: {
    include: ['test/service/conformance/**/*.test.ts'],
    globalSetup: ['test/service/conformance/setup.ts'],
    environment: 'node',
    // The tests wait for a clock, not for the processor.
    maxWorkers: 5,
  },
})
