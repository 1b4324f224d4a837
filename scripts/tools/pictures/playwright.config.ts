import { defineConfig } from '@playwright/test'
import tests from '../../../config/playwright.config'

const named = process.argv.slice(2).some((each) => /docs|views/.test(each))
const pages = tests.projects?.find(({ name }) => name === 'renderer')

/** `npm run pictures -- docs|views`: takes pictures in Electron. Not part of the tests. */
export default defineConfig({
  testDir: '.',
  // Only `docs` overwrites the pictures of the docs.
  testIgnore: named ? [] : ['**/docs*.spec.ts'],
  workers: 1,
  reporter: [['line']],
  // Used by the playground stories.
  use: pages?.use ?? {},
  webServer: tests.webServer ?? [],
})
