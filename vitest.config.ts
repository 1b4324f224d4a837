import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/integration/**/*.test.ts', 'test/service/**/*.test.ts', 'test/*.test.ts'],
    // Has a service of its own to ask: vitest.service.config.ts.
    exclude: ['test/service/conformance/**', 'node_modules/**'],
    environment: 'node',
  },
})
