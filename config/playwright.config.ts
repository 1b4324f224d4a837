import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

const root = join(import.meta.dirname, '..')

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell'
// Each checkout has its own port, so that two can be tested at once. Chromium blocks no port from 7000 to 8999.
const checkout = Buffer.from(root).reduce((sum, byte) => (sum * 31 + byte) % 2_000, 0)
const rendererPort = 7_000 + checkout

export default defineConfig({
  // These limits only end a test that hangs. They do not check its speed.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  // One more than the two cores that the run is meant for, because a test waits a quarter of its time.
  workers: 3,
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  // To inspect a failure: npm run test:e2e -- --trace retain-on-failure
  use: { trace: 'off' },
  projects: [
    {
      name: 'renderer',
      testDir: '../test/renderer',
      use: {
        viewport: { width: 1280, height: 820 },
        timezoneId: 'UTC',
        baseURL: `http://127.0.0.1:${rendererPort}`,
        launchOptions: {
          executablePath: chromium,
          args: [
            '--no-sandbox',
            '--disable-gpu',
            '--disable-background-networking',
            '--disable-component-update',
            // A page lives for seconds. Without optimizing compilers it costs a third less processor time.
            '--js-flags=--no-maglev --no-turbofan',
            '--num-raster-threads=1',
          ],
        },
      },
    },
    // Last, after the source checks, because a waiting app still draws its values.
    { name: 'app', testDir: '../test/e2e' },
  ],
  webServer: {
    cwd: root,
    command: `vite preview --configLoader runner --config test/renderer/preview.config.ts --port ${rendererPort}`,
    url: `http://127.0.0.1:${rendererPort}`,
    reuseExistingServer: false,
  },
})
