import { defineConfig } from '@playwright/test'

/** `npm run test:package` tests the packages of a test build. It is not part of `npm test`. */
export default defineConfig({
  testDir: '../test/package',
  timeout: 900_000,
  expect: { timeout: 30_000 },
  workers: 1,
  reporter: [['list']],
})
