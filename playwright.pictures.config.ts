import { defineConfig } from '@playwright/test'

const named = process.argv.slice(2).some((each) => /docs|alerts-off|stranger|views|wayland/.test(each))

/** `npm run pictures -- docs|alerts-off|stranger|views|wayland`: what is to be looked at in real Electron; no part of the tests. */
export default defineConfig({
  testDir: 'test/pictures',
  // Those of the docs are overwritten only when they are named.
  testIgnore: named ? [] : ['**/docs.spec.ts'],
  workers: 1,
  reporter: [['line']],
})
