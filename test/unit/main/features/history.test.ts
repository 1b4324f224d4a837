import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { historyCommands } from '../../../../main/features/history'
import { indexCommands } from '../../../../main/features/index-page'
import { fromJson } from '../../../../protocol/json'
import { featureCore } from '../../../support/feature-core'
import { MemoryHistory } from '../../../support/memory-history'
import { temporaryFolder } from '../../../support/temporary-folder'

test('constituent changes are read from the history, and saved to the chosen file', async () => {
  const history = new MemoryHistory()
  const calculation = (publishedAtMs: number, ...names: string[]) => {
    const constituents = names.map((constituent) => ({ constituent, value: '1', weightPercent: '50' }))
    const document = JSON.stringify({ value: '1', publishedAtMs, constituents })
    return { kind: 'constituents' as const, id: 'NCI', publishedAtMs, learnedAtMs: publishedAtMs, document }
  }
  history.store.commit([{ snapshots: [calculation(1_000, 'BTC', 'ETH'), calculation(2_000, 'BTC', 'LINK')] }])
  const core = featureCore({ history })
  const { dialogs } = core
  dialogs.path = join(temporaryFolder(), 'membership.csv')
  const commands = historyCommands(core, {} as Parameters<typeof historyCommands>[1])
  const answer = await commands.getMembership({ indexId: 'NCI' })
  const found = answer.ok ? fromJson(answer.value) : undefined
  expect(found?.changes.map(({ joined, left }) => [joined[0]?.key, left[0]?.key])).toEqual([['LINK', 'ETH']])
  expect(found?.knownSinceMs).toBe(1_000)
  expect(await commands.saveMembershipTable({ indexId: 'NCI' })).toEqual({
    ok: true,
    value: { fileName: 'membership.csv' },
  })
  expect(dialogs.suggested).toMatchObject([{ name: 'NCI constituent changes', kind: 'csv' }])
  expect(readFileSync(dialogs.path, 'utf8')).toContain('added,LINK,,50')
})

// Arguments that an old or a hostile page may send. The page's own checks do not count.
test('a range that ends before it begins is refused for export and chart with advice', async () => {
  const untouched = vi.fn(() => {
    throw new Error('asked for a bad range')
  })
  const core = featureCore()
  core.dialogs.askWhereToSave = untouched
  const exporter = { run: untouched }
  const chart = { between: untouched, known: untouched }
  const { exportValues } = historyCommands(core, { exporter } as unknown as Parameters<typeof historyCommands>[1])
  const { getChart, getKnownChart } = indexCommands(core, { chart } as unknown as Parameters<typeof indexCommands>[1])
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
