import { expect, test, vi } from 'vitest'
import type { AppContext } from '../../../../main/commands/context'
import { historyHandlers } from '../../../../main/commands/history'
import { indexHandlers } from '../../../../main/commands/indices'

// What an old or a hostile page may send: nothing is left to the checks of the page.
test('a range that ends before it begins is exported and drawn by nobody, and says what to do', async () => {
  const untouched = vi.fn(() => {
    throw new Error('asked for a bad range')
  })
  const context = {
    dialogs: { askWhereToSave: untouched },
    exporter: { run: untouched },
    chart: { between: untouched, known: untouched },
  } as unknown as AppContext
  const { exportValues } = historyHandlers(context)
  const { getChart, getKnownChart } = indexHandlers(context)
  const badRange = {
    ok: false,
    problem: { code: 'badRange', message: 'The range ends before it begins. Choose an end after its start.' },
  }
  for (const range of [
    { fromMs: 2, toMs: 1 },
    { fromMs: 2, toMs: 2 },
  ]) {
    expect(await exportValues({ indexIds: ['BRTI'], ...range, resolution: 'every', format: 'csv' })).toEqual(badRange)
    expect(await getChart({ indexId: 'BRTI', range })).toEqual(badRange)
    expect(await getKnownChart({ indexId: 'BRTI', range })).toEqual(badRange)
  }
})
