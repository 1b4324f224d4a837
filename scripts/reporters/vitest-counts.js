// @ts-check
import { fileName, writeCounts } from './counts.js'

/** Reports to `npm test` how many tests ran. Vitest asks for a default export. */
export default class VitestCounts {
  /** @param {ReadonlyArray<import('vitest/node').TestModule>} modules */
  onTestRunEnd(modules) {
    /** @type {import('./counts.js').Counts} */
    const counts = { passed: 0, failed: 0, skipped: [], ran: [] }
    for (const module of modules) {
      // A file that could not be loaded reports no tests, so it counts as a failure itself.
      if (module.errors().length > 0) counts.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed') counts[state]++
        else counts.skipped.push(test.fullName)
        counts.ran.push({ file: fileName(module.moduleId), name: test.name, passed: state === 'passed' })
      }
    }
    writeCounts(counts)
  }
}
