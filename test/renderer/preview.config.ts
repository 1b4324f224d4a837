import { defineConfig } from 'vite'
import { contentSecurityPolicy } from '../../main/desktop/page-files'

/** Serves the built page under the app's policy. */
export default defineConfig({
  build: { outDir: 'out/renderer' },
  preview: { host: '127.0.0.1', strictPort: true, headers: { 'Content-Security-Policy': contentSecurityPolicy } },
})
