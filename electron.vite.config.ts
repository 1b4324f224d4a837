import { resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'

const here = import.meta.dirname

// Named by hand so that one build runs on every supported Electron, not only on the installed one.
const nodeTarget = 'node20.18'
const chromeTarget = 'chrome130'

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
        },
      },
    },
  },
  preload: {
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
      rolldownOptions: { input: { index: resolve(here, 'renderer/index.html') } },
    },
  },
})
