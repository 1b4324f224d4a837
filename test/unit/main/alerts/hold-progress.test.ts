import { describe, expect, test } from 'vitest'
import { MemoryHistory } from '../../../support/memory-history'
import { valueOf } from '../../../support/value-of'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const held = { ...levelDraft('100'), holdMs: 10_000 }

/** Publishes values at these seconds and moves the clock. Each write ends before the next value. */
async function play(
  opened: Awaited<ReturnType<typeof openAlerts>>,
  values: readonly [second: number, value: string][],
) {
  for (const [second, value] of values) {
    opened.clock.advance(Math.max(0, startMs + second * 1_000 - opened.clock.wallMs()))
    await settled()
    opened.receive('BRTI', { value, publishedAtMs: startMs + second * 1_000 })
    await settled()
  }
}

/** How long the rule has held according to its newest checkpoint. */
function heldMs({ store }: MemoryHistory): number | undefined {
  const state = store.query('alertStart', null).checkpoints[0]?.state ?? '{}'
  return (JSON.parse(state) as { hold?: { heldMs: number } }).hold?.heldMs
}

/** Waits until pending writes are done. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function seconds(from: number, to: number, value = '101'): [number, string][] {
  return Array.from({ length: to - from + 1 }, (_, at) => [from + at, value])
}

/** Kills the app, which loses unwritten data, and starts it again at this second. */
async function afterKill(history: MemoryHistory, second: number) {
  const next = await openAlerts(history.reopened())
  next.clock.advance(second * 1_000)
  return next
}

describe('the progress of a hold', () =>
  test('is stored at the end of the app', async () => {
    const opened = await openAlerts()
    await opened.engine.create(held, 'wait', undefined)
    await play(opened, [[0, '99'], ...seconds(1, 3)])
    opened.engine.dispose()
    await opened.engine.flush()
    expect(heldMs(opened.history)).toBe(2_000)
    expect(opened.clock.pending).toBe(0)
  }))

describe('a hold of ten seconds that begins at second 1, under a kill after any value', () => {
  test.each(Array.from({ length: 11 }, (_, at) => at + 1))(
    'after second %i: fires once, at second 11',
    async (last) => {
      const first = await openAlerts(new MemoryHistory())
      await first.engine.create(held, 'wait', undefined)
      await play(first, [[0, '99'], ...seconds(1, last)])
      const next = await afterKill(first.history, last)
      // The last value is received again, then the next ones.
      await play(next, seconds(last, 30))
      await next.engine.flush()
      const { events } = valueOf(await next.engine.page({}))
      const fires = events.map(({ kind, inputs }) => [kind, inputs.publishedAtMs, inputs.heldSinceMs])
      expect(fires).toEqual([['fired', startMs + 11_000, startMs + 1_000]])
    },
  )

  test.each([2, 5, 8, 10])('after second %i: does not fire if it is broken afterwards', async (last) => {
    const first = await openAlerts(new MemoryHistory())
    await first.engine.create(held, 'wait', undefined)
    await play(first, [[0, '99'], ...seconds(1, last)])
    const next = await afterKill(first.history, last)
    await play(next, [[last + 1, '99'], ...seconds(last + 2, last + 11)])
    await next.engine.flush()
    expect(valueOf(await next.engine.page({})).events).toEqual([])
  })

  test('after longer than its gap: continues from the time held before', async () => {
    const first = await openAlerts(new MemoryHistory())
    await first.engine.create(held, 'wait', undefined)
    await play(first, [[0, '99'], ...seconds(1, 8)])
    const next = await afterKill(first.history, 60)
    await play(next, seconds(60, 80))
    await next.engine.flush()
    // Seven seconds before the kill, three after.
    expect(valueOf(await next.engine.page({})).events).toMatchObject([{ inputs: { publishedAtMs: startMs + 63_000 } }])
  })
})
