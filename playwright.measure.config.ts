import { defineConfig } from '@playwright/test'

/** `npm run measure`: prints what it measured in real Electron; no part of the tests. */
export default defineConfig({ testDir: 'test/measure', workers: 1, reporter: [['line']] })
