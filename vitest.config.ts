import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // For the page's rune modules; they run as on a server, without effects.
  plugins: [svelte({ configFile: 'svelte.config.js' })],
  test: {
    include: ['test/unit/**/*.test.ts', 'test/integration/**/*.test.ts', 'test/service/**/*.test.ts', 'test/*.test.ts'],
    // Has a service of its own to ask: vitest.service.config.ts.
    exclude: ['test/service/conformance/**', 'node_modules/**'],
    environment: 'node',
    // Ends what hangs; says nothing of how fast a test is on a busy machine.
    testTimeout: 30_000,
  },
})
