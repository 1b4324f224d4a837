// @ts-check
// npm run test:service: the conformance suite, against a simulator started for it or the service named in the arguments.
import { SetupError, projectRoot, runCommand } from './setup/processes.js'
import { ensureDependencies } from './setup/dependencies.js'
import { readServiceArguments, serviceUsage } from './service-arguments.js'
import { runConformance } from './service-run.js'

runCommand(async () => {
  const asked = readServiceArguments(process.argv.slice(2))
  if (typeof asked === 'string') throw new SetupError(`${asked}\n${serviceUsage}`)
  await ensureDependencies()
  if (asked.task === 'table') {
    const { writeConformanceTable } = await import('./conformance-table.js')
    await writeConformanceTable(projectRoot)
    return 0
  }
  if (asked.task === 'mutants') {
    const { runMutants } = await import('./conformance-mutants.js')
    return runMutants()
  }
  return runConformance(asked.service, asked.filters)
})
