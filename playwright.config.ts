import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
// One of its own for each checkout, so that two can be tested at once.
const rendererPort =
  4_173 + [...import.meta.dirname].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2_000, 0)

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
