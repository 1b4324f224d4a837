import { svelte } from '@sveltejs/vite-plugin-svelte'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const project = resolve(import.meta.dirname, '../..')

/** Serves the playground with hot reload. It is never built. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [svelte({ configFile: resolve(project, 'config/svelte.config.js') })],
  server: { host: '127.0.0.1', port: 5_180, open: '/', fs: { allow: [project] } },
})
