import type { RowFacts } from '../../protocol/desktop'
import { addressOf } from '../../simulator/address'
import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import type { WatchPage } from '../support/watch-page'

const ids = ['BRTI', 'BRR'] as const

interface ShownRow extends Pick<RowFacts, 'reference'> {
  trendLength: number
  source: string | undefined
}

async function rows(watch: WatchPage): Promise<Record<(typeof ids)[number], ShownRow>> {
  const snapshot = await watch.snapshot()
  const shown = ids.map((id) => {
    const { reference, trend = [] } = snapshot.rows.find((row) => row.id === id) ?? {}
    const source = snapshot.quotes.find((quote) => quote.id === id)?.source
    return [id, { ...(reference !== undefined && { reference }), trendLength: trend.length, source }]
  })
  return Object.fromEntries(shown) as Record<(typeof ids)[number], ShownRow>
}

test(
  'change and trend are shown after a start offline or with a refused key',
  { tag: '@deep' },
  async ({ bench, simulator }) => {
    test.setTimeout(240_000)
    const address = addressOf(simulator)
    const isWhole = async (watch: WatchPage) =>
      Object.values(await rows(watch)).every(
        ({ reference, trendLength }) => reference !== undefined && trendLength >= 40,
      )
    const first = await bench.launchLive(address)
    await first.watch.expectState('Live')
    await expect.poll(() => isWhole(first.watch), { timeout: 60_000 }).toBe(true)
    const before = await rows(first.watch)
    await first.running.quit()

    for (const [state, reached] of [
      ['Offline', { ...address, ws: 'ws://127.0.0.1:1', rest: 'http://127.0.0.1:1' }],
      ['Alerts are off: the provider refuses the key', { ...address, keySecret: 'another' }],
    ] as const) {
      await test.step(`unchanged, ${state}`, async () => {
        const running = await bench.launch([], connectionVariables(reached))
        const watch = await running.watch()
        await watch.expectState(state)
        await expect.poll(() => isWhole(watch), { timeout: 60_000 }).toBe(true)
        const after = await rows(watch)
        expect([after.BRR.reference, after.BRTI.reference]).toEqual([before.BRR.reference, before.BRTI.reference])
        // Cached values never look live.
        expect([after.BRR.source, after.BRTI.source]).toEqual(['cache', 'cache'])
        await expect(watch.row('BRTI').getByText('▲').or(watch.row('BRTI').getByText('▼')).first()).toBeVisible()
        await running.quit()
      })
    }
  },
)
