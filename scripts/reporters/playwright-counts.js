// @ts-check
import { fileName, writeCounts } from './counts.js'

/** Reports to `npm test` how many tests ran. Playwright asks for a default export. */
export default class PlaywrightCounts {
  /** @type {import('@playwright/test/reporter').Suite | undefined} */
  #suite

  /** @param {import('@playwright/test/reporter').FullConfig} _config @param {import('@playwright/test/reporter').Suite} suite */
  onBegin(_config, suite) {
    this.#suite = suite
  }

  onEnd() {
    /** @type {import('./counts.js').Counts} */
    const counts = { passed: 0, failed: 0, skipped: [], ran: [] }
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome()
      if (outcome === 'skipped') counts.skipped.push(test.title)
      // A test that passes only on a retry counts as failed.
      else if (outcome === 'expected') counts.passed++
      else counts.failed++
      counts.ran.push({ file: fileName(test.location.file), name: test.title, passed: outcome === 'expected' })
    }
    writeCounts(counts)
  }
}
