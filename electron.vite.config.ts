import { resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { commands } from './protocol/commands/contract'

const here = import.meta.dirname

// Named by hand so that one build runs on every supported Electron, not only on the installed one.
const nodeTarget = 'node20.18'
const chromeTarget = 'chrome130'

// What NOTICE.txt is made of, by scripts/setup/notice.js.
const license = { fileName: 'licenses.json' }

const script = { target: nodeTarget, license, externalizeDeps: false }

const allowances = Object.fromEntries(Object.entries(commands).map(([name, { allowance }]) => [name, allowance]))

/** Leaves out a module that a library has along and the app never needs. `exported`: names that others import from it. */
function without(
  name: string,
  isLeftOut: (id: string, importer: string | undefined) => boolean,
  exported: readonly string[],
): Plugin {
  const absent = `\0without-${name}`
  return {
    name: `without-${name}`,
    enforce: 'pre',
    resolveId: (id, importer) => (isLeftOut(id, importer) ? absent : undefined),
    load: (id) =>
      id === absent
        ? `const absent = () => { throw new Error('${name} is not in this build') }
           export { ${exported.map((each) => `absent as ${each}`).join(', ')} }`
        : undefined,
  }
}

const leftOut = [
  // The library of assistant tools takes schemas of zod 3 too, and has its code along for that: here are none.
  without('zod-3', (id) => id === 'zod/v3' || id === 'zod-to-json-schema', ['object', 'zodToJsonSchema']),
  // The file of the settings is checked by our own schemas: the library that keeps it has one of its own along.
  without('ajv', (id, importer) => importer?.includes('/conf/') === true && id.startsWith('ajv'), [
    'default',
    'Ajv2020',
  ]),
  // Nothing of D-Bus is asked what it can do: the library reads such answers with two readers of XML.
  without('xml2js', (id, importer) => importer?.includes('/dbus-native/') === true && id === 'xml2js', ['Parser']),
]

export default defineConfig(({ mode }) => ({
  main: {
    // Where a release has its updates from: see docs/development/releasing.md.
    define: { __UPDATE_URL__: JSON.stringify(process.env['INDEXWATCH_UPDATE_URL'] ?? '') },
    plugins: leftOut,
    build: {
      ...script,
      minify: mode === 'production',
      rolldownOptions: {
        input: {
          index: resolve(here, 'main/index.ts'),
          // The embedded demo service runs in a utility process, the command line in plain Node.
          'simulator-process': resolve(here, 'simulator/process.ts'),
          'simulator-cli': resolve(here, 'simulator/cli.ts'),
          // The thread that owns the database.
          'history-worker': resolve(here, 'main/history-store/worker.ts'),
          // Drafts of alerts are tried on the history in a thread of their own.
          'range-test-worker': resolve(here, 'main/alerts/range-test-worker.ts'),
          // A file of thousands of alerts is read in a thread of its own.
          'rule-file-worker': resolve(here, 'main/alerts/rule-file-worker.ts'),
          'authorities-worker': resolve(here, 'main/base/authorities-worker.ts'),
          // Exports run in a thread of their own in the app, and in plain Node from the command line.
          'export-worker': resolve(here, 'main/history/export-worker.ts'),
          'export-cli': resolve(here, 'main/history/export-cli.ts'),
          // The server for assistants, from the sources; installed, the app itself is that with --mcp.
          'assistant-cli': resolve(here, 'main/access/assistant-cli.ts'),
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
      ...script,
      minify: mode === 'production',
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
      license,
      rolldownOptions: {
        input: { index: resolve(here, 'renderer/index.html'), ticker: resolve(here, 'renderer/ticker.html') },
      },
    },
  },
}))
