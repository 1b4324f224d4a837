// @ts-check
// npm run export -- --ids BRTI --from 2026-11-01 --to 2026-11-02 --out FILE.csv: values from the history to a file.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ended, projectRoot, runCommand, startChild } from './setup/processes.js'

runCommand(async () => {
  await ensureDependencies()
  await ensureBuild()
  const program = join(projectRoot, 'out', 'main', 'export-cli.js')
  return ended(startChild('node', [program, ...process.argv.slice(2)], { stdio: ['ignore', 'inherit', 'inherit'] }))
})
