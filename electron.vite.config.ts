import { resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import { commands } from './protocol/commands/contract'

const here = import.meta.dirname

// Named by hand so that one build runs on every supported Electron, not only on the installed one.
const nodeTarget = 'node20.18'
const chromeTarget = 'chrome130'

const allowances = Object.fromEntries(Object.entries(commands).map(([name, { allowance }]) => [name, allowance]))

export default defineConfig({
  main: {
    build: {
      target: nodeTarget,
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          index: resolve(here, 'main/index.ts'),
          // The embedded demo service runs in a utility process, the command line in plain Node.
          'simulator-process': resolve(here, 'simulator/process.ts'),
          'simulator-cli': resolve(here, 'simulator/cli.ts'),
          // The thread that owns the database.
          'tape-worker': resolve(here, 'main/tape/worker.ts'),
          // Drafts of alerts are tried on the history in a thread of their own.
          'range-test-worker': resolve(here, 'main/alerts/range-test-worker.ts'),
          // Exports run in a thread of their own in the app, and in plain Node from the command line.
          'export-worker': resolve(here, 'main/history/export-worker.ts'),
          'export-cli': resolve(here, 'main/history/export-cli.ts'),
        },
        // A native module: it stays a package of its own.
        external: ['libsql'],
      },
    },
  },
  preload: {
    // Names and limits alone: the validators they are declared with stay out of the page's process.
    define: { __ALLOWANCES__: JSON.stringify(allowances) },
    build: {
      target: nodeTarget,
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(here, 'preload/index.ts') },
        // A sandboxed preload must be one CommonJS file.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(here, 'renderer'),
    plugins: [svelte({ configFile: resolve(here, 'svelte.config.js') })],
    build: {
      target: chromeTarget,
      minify: true,
      rolldownOptions: {
        input: { index: resolve(here, 'renderer/index.html'), ticker: resolve(here, 'renderer/ticker.html') },
      },
    },
  },
})
