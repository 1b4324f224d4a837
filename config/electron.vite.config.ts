import { resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { commandFiles } from '../main/base/command-files'
import { commands } from '../protocol/commands/contract'

const project = resolve(import.meta.dirname, '..')

// Fixed, so that one build runs on every supported Electron, not only on the installed one.
const nodeTarget = 'node20.18'
const chromeTarget = 'chrome130'

// scripts/setup/notice.js makes NOTICE.txt from this file.
const license = { fileName: 'licenses.json' }

const script = { target: nodeTarget, license, externalizeDeps: false }

const allowances = Object.fromEntries(Object.entries(commands).map(([name, { allowance }]) => [name, allowance]))

/** Leaves out a module that a library imports but the app never needs. `exported` lists the names imported from it. */
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

/**
 * Writes scripts in ASCII. One other character doubles the memory of its script and makes V8 parse it slower. In strings
 * and patterns an escape means the same as its character.
 */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(
          /[^\0-\x7f]/g,
          (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
    }
  },
}

const leftOut = [
  // The MCP library also accepts schemas of zod 3. The app has none.
  without('zod-3', (id) => id === 'zod/v3' || id === 'zod-to-json-schema', ['object', 'zodToJsonSchema']),
  // Our own schemas check the settings file, so the validator of the library that stores it is not needed.
  without('ajv', (id, importer) => importer?.includes('/conf/') === true && id.startsWith('ajv'), [
    'default',
    'Ajv2020',
  ]),
  // Neither does the settings file need its migrations, which order versions.
  without('semver', (id, importer) => importer?.includes('/conf/') === true && id === 'semver', ['default']),
  // Both ends of the provider's tools are given a check of schemas of ours.
  without(
    'sdk-ajv',
    (id, importer) => importer?.includes('/@modelcontextprotocol/sdk/') === true && id.includes('ajv-provider'),
    ['AjvJsonSchemaValidator'],
  ),
  // The server for assistants has its own check of schemas.
  without(
    'mcp-ajv',
    (id, importer) => importer?.includes('/@modelcontextprotocol/server/') === true && id.includes('ajvProvider'),
    ['n'],
  ),
  // The app is a client on the bus that makes raw calls. It needs no bus or objects of its own and no introspection.
  without(
    'dbus-server',
    (id, importer) =>
      importer?.includes('/dbus-native/') === true &&
      /^xml2js$|\/(?:broker|server|server-handshake|introspect|proxy|define-interface|managed-objects)$/.test(id),
    ['createBroker', 'createServer', 'defineInterface'],
  ),
  // Lists of versions are YAML. Only a provider that the app does not have answers in XML.
  without('sax', (id, importer) => importer?.includes('/builder-util-runtime/') === true && id === 'sax', ['parser']),
]

/** The man page and the completion of shells, which packages install. */
const forShells: Plugin = {
  name: 'command-files',
  generateBundle() {
    for (const [name, source] of Object.entries(commandFiles()))
      this.emitFile({ type: 'asset', fileName: `share/${name}`, source })
  },
}

export default defineConfig(({ mode }) => ({
  main: {
    // The address that a release fetches its updates from: see docs/development/releasing.md.
    define: { __UPDATE_URL__: JSON.stringify(process.env['INDEXWATCH_UPDATE_URL'] ?? '') },
    plugins: [...leftOut, forShells, inAscii],
    build: {
      ...script,
      minify: mode === 'production',
      rolldownOptions: {
        input: {
          index: resolve(project, 'main/index.ts'),
          // The embedded demo service runs in a utility process, the command line in plain Node.
          'simulator-process': resolve(project, 'simulator/process.ts'),
          'simulator-cli': resolve(project, 'simulator/cli.ts'),
          // The thread that owns the database.
          'history-worker': resolve(project, 'main/history-store/worker.ts'),
          // The thread that tests drafts of alerts on the history.
          'range-test-worker': resolve(project, 'main/alerts/range-test-worker.ts'),
          // The thread that reads a file of thousands of alerts.
          'rule-file-worker': resolve(project, 'main/alerts/rule-file-worker.ts'),
          // The thread that reads lists of tickers of other programs.
          'list-source-worker': resolve(project, 'main/lists/list-source-worker.ts'),
          'authorities-worker': resolve(project, 'main/base/authorities-worker.ts'),
          // Exports run in a thread of the app, or in plain Node from the command line.
          'export-worker': resolve(project, 'main/history/export-worker.ts'),
          'export-cli': resolve(project, 'main/history/export-cli.ts'),
          // The MCP server when run from source. An installed app serves MCP itself.
          'assistant-cli': resolve(project, 'main/access/assistant-cli.ts'),
        },
        // A native module cannot be bundled.
        external: ['libsql'],
      },
    },
  },
  preload: {
    plugins: [inAscii],
    // Only names and limits, so that the page does not load the validators that declare them.
    define: { __ALLOWANCES__: JSON.stringify(allowances) },
    build: {
      ...script,
      minify: mode === 'production',
      rolldownOptions: {
        input: { index: resolve(project, 'preload/index.ts') },
        // A sandboxed preload must be one CommonJS file.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(project, 'renderer'),
    plugins: [svelte({ configFile: resolve(import.meta.dirname, 'svelte.config.js') }), inAscii],
    build: {
      target: chromeTarget,
      minify: true,
      license,
      rolldownOptions: {
        input: {
          index: resolve(project, 'renderer/index.html'),
          ticker: resolve(project, 'renderer/ticker.html'),
          'index-window': resolve(project, 'renderer/index-window.html'),
        },
      },
    },
  },
}))
