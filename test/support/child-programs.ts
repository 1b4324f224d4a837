import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
/** Inside the checkout, so that the programs find its packages. */
const cache = join(root, 'node_modules', '.cache', 'indexwatch')
/** Names the folder of this run's programs. The processes of the tests inherit it. */
const folderVariable = 'INDEXWATCH_CHILD_PROGRAMS'

/** Programs that tests run in a thread or a process, by name. */
const programs = {
  'authorities-worker': 'main/base/authorities-worker.ts',
  'history-worker': 'main/history-store/worker.ts',
  'range-test-worker': 'main/alerts/range-test-worker.ts',
  'list-source-worker': 'main/lists/list-source-worker.ts',
  'rule-file-worker': 'main/alerts/rule-file-worker.ts',
  'export-worker': 'main/history/export-worker.ts',
  'export-cli': 'main/history/export-cli.ts',
  assistant: 'test/support/assistant.child.ts',
  'crashing-alerts': 'test/support/crashing-alerts.child.ts',
  'connecting-feed': 'test/support/connecting-feed.child.ts',
  'sending-routes': 'test/support/sending-routes.child.ts',
  'failing-disk': 'test/support/failing-disk.child.ts',
  'held-disk': 'test/support/held-disk.child.ts',
  'desk-watcher': 'test/support/desk-watcher.child.ts',
  'crashing-history': 'test/support/crashing-history.child.ts',
  'killed-writer': 'test/unit/main/storage/killed-writer.child.ts',
  'simulator-cli': 'simulator/cli.ts',
  'simulator-process': 'simulator/process.ts',
}

/** The path of a program that plain Node can run. */
export function childProgram(name: keyof typeof programs): string {
  const folder = process.env[folderVariable]
  if (folder === undefined) throw new Error('The programs are made by the set-up of config/vitest.config.ts.')
  return join(folder, `${name}.js`)
}

/**
 * Bundles the programs once per run, because starting them from separate sources costs several times as much. Each run has
 * its own folder and deletes it at its end.
 */
export async function setup(): Promise<() => Promise<void>> {
  // Imported here, because tests import this file for the paths only and vite is slow to load.
  const { build } = await import('vite')
  await mkdir(cache, { recursive: true })
  const outDir = await mkdtemp(join(cache, 'child-programs-'))
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['libsql', 'electron'] },
    build: { ssr: true, outDir, minify: false, rolldownOptions: { input: programs } },
  })
  process.env[folderVariable] = outDir
  return () => rm(outDir, { recursive: true, force: true })
}
