import { defineConfig } from '@playwright/test'
import tests from '../../playwright.config'

const named = process.argv.slice(2).some((each) => /docs|views/.test(each))
const pages = tests.projects?.find(({ name }) => name === 'renderer')

/** `npm run pictures -- docs|views`: pictures taken in Electron. Not part of the tests. */
export default defineConfig({
  testDir: '.',
  // Pictures of the docs are overwritten only with `docs`.
  testIgnore: named ? [] : ['**/docs*.spec.ts'],
  workers: 1,
  reporter: [['line']],
  // For the stories of the playground.
  use: pages?.use ?? {},
  webServer: tests.webServer ?? [],
})
