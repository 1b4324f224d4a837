import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
// One of its own for each checkout, so that two can be tested at once.
const checkout = Buffer.from(import.meta.dirname).reduce((sum, byte) => (sum * 31 + byte) % 2_000, 0)
const rendererPort = 4_173 + checkout

export default defineConfig({
  timeout: 30_000,
  workers: 1,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  use: { trace: 'retain-on-failure' },
  projects: [
    {
      name: 'renderer',
      testDir: 'test/renderer',
      use: {
        baseURL: `http://127.0.0.1:${rendererPort}`,
        launchOptions: {
          executablePath: chromium,
          args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
        },
      },
    },
    { name: 'app', testDir: 'test/e2e' },
  ],
  webServer: {
    command: `vite preview --outDir out/renderer --host 127.0.0.1 --port ${rendererPort} --strictPort`,
    url: `http://127.0.0.1:${rendererPort}`,
    reuseExistingServer: false,
  },
})
