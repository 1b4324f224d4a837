import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell'
// One of its own for each checkout, so that two can be tested at once; Chromium refuses none of 7,000 to 8,999.
const checkout = Buffer.from(import.meta.dirname).reduce((sum, byte) => (sum * 31 + byte) % 2_000, 0)
const rendererPort = 7_000 + checkout

export default defineConfig({
  // These end what hangs, and say nothing of how fast a test is on a busy machine.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  // One more than the cores that the whole run is for: a test waits a quarter of its time.
  workers: 3,
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  // To look at what failed: npm run test:e2e -- --trace retain-on-failure
  use: { trace: 'off' },
  projects: [
    {
      name: 'renderer',
      testDir: 'test/renderer',
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
            // A page that lives for seconds costs a third less when nothing of it is compiled a second time, to be faster.
            '--js-flags=--no-maglev --no-turbofan',
            '--num-raster-threads=1',
          ],
        },
      },
    },
    // Last, after the source checks, because a waiting app still draws its values.
    { name: 'app', testDir: 'test/e2e' },
  ],
  webServer: {
    // That of tools/pictures is in another folder.
    cwd: import.meta.dirname,
    command: `vite preview --configLoader runner --config test/renderer/preview.config.ts --port ${rendererPort}`,
    url: `http://127.0.0.1:${rendererPort}`,
    reuseExistingServer: false,
  },
})
