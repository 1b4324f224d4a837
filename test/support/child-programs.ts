import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'node_modules', '.cache', 'indexwatch', 'child-programs')

/** What tests run in a thread or a process of its own, by the names under which they ask for it. */
const programs = {
  'tape-worker': 'main/tape/worker.ts',
  'range-test-worker': 'main/alerts/range-test-worker.ts',
  'export-worker': 'main/history/export-worker.ts',
  'crashing-alerts': 'test/support/crashing-alerts.child.ts',
  'connecting-feed': 'test/support/connecting-feed.child.ts',
  'crashing-tape': 'test/support/crashing-tape.child.ts',
  'killed-writer': 'test/unit/main/storage/killed-writer.child.ts',
}

/** The path of a program as plain Node runs it. */
export function childProgram(name: keyof typeof programs): string {
  return join(folder, `${name}.js`)
}

/** Bundles them once for a whole run: as separate sources each start of one costs several times as much. */
export async function setup(): Promise<void> {
  // Not for the tests, which import this file for the paths: it costs each of them as much as a small test.
  const { build } = await import('vite')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['libsql'] },
    build: { ssr: true, outDir: folder, minify: false, rolldownOptions: { input: programs } },
  })
}
