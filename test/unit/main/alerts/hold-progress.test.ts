import { describe, expect, test } from 'vitest'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const held = { ...levelDraft('100'), holdMs: 10_000 }

/** Values at these seconds, one after the other; the clock comes along, and each write ends before the next value. */
async function play(
  opened: Awaited<ReturnType<typeof openAlerts>>,
  values: readonly [second: number, value: string][],
) {
  for (const [second, value] of values) {
    opened.clock.advance(Math.max(0, startMs + second * 1_000 - opened.clock.wallMs()))
    await settled()
    opened.quotes.apply('BRTI', { value, publishedAtMs: startMs + second * 1_000 }, 'stream')
    await settled()
  }
}

/** What has been written is written. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function seconds(from: number, to: number, value = '101'): [number, string][] {
  return Array.from({ length: to - from + 1 }, (_, at) => [from + at, value])
}

/** The app is killed: what is not written is lost. Another run begins at this second. */
async function afterKill(file: MemoryJsonFile, second: number) {
  const next = await openAlerts(file.reopened())
  next.clock.advance(second * 1_000)
  return next
}

describe('the progress of a hold', () => {
  test('is stored every two seconds, and its beginning and its end at once', async () => {
    const opened = await openAlerts()
    await opened.engine.create(held, 'wait', undefined)
    await play(opened, [[0, '99']])
    const before = opened.file.written.length
    await play(opened, seconds(1, 1))
    expect(opened.file.written).toHaveLength(before + 1)
    expect(opened.file.written.at(-1)).toMatchObject({ states: { a: { hold: { heldMs: 0 } } } })
    await play(opened, seconds(2, 10))
    expect(opened.file.written).toHaveLength(before + 5)
    await play(opened, seconds(11, 11))
    await opened.engine.flush()
    expect(opened.file.written).toHaveLength(before + 6)
    expect(opened.file.written.at(-1)).toMatchObject({ inbox: [{ kind: 'fired' }], states: { a: { isDone: true } } })
  })

  test('that is broken is stored at once', async () => {
    const opened = await openAlerts()
    await opened.engine.create(held, 'wait', undefined)
    await play(opened, [[0, '99'], ...seconds(1, 4), [5, '99']])
    const last = opened.file.written.at(-1) as { states: { a: object } }
    expect(last.states.a).not.toHaveProperty('hold')
  })

  test('is stored at the end of the app', async () => {
    const opened = await openAlerts()
    await opened.engine.create(held, 'wait', undefined)
    await play(opened, [[0, '99'], ...seconds(1, 3)])
    opened.engine.dispose()
    await opened.engine.flush()
    expect(opened.file.written.at(-1)).toMatchObject({ states: { a: { hold: { heldMs: 2_000 } } } })
    expect(opened.clock.pending).toBe(0)
  })

  test('that came in while the file was being written is stored at the end of the app too', async () => {
    const opened = await openAlerts()
    await opened.engine.create(held, 'wait', undefined)
    await play(opened, [[0, '99']])
    const letThrough = opened.file.holdWrites()
    await play(opened, seconds(1, 3))
    letThrough()
    await settled()
    await opened.engine.flush()
    expect(opened.file.written.at(-1)).toMatchObject({ states: { a: { hold: { heldMs: 2_000 } } } })
  })
})

describe('a hold of ten seconds that begins at second 1, under a kill after any value', () => {
  test.each(Array.from({ length: 11 }, (_, at) => at + 1))(
    'after second %i: fires once, at second 11',
    async (last) => {
      const first = await openAlerts(new MemoryJsonFile())
      await first.engine.create(held, 'wait', undefined)
      await play(first, [[0, '99'], ...seconds(1, last)])
      const next = await afterKill(first.file, last)
      // The last value comes once more, then the next ones.
      await play(next, seconds(last, 30))
      await next.engine.flush()
      const fires = next.engine
        .page({})
        .events.map(({ kind, inputs }) => [kind, inputs.publishedAtMs, inputs.heldSinceMs])
      expect(fires).toEqual([['fired', startMs + 11_000, startMs + 1_000]])
    },
  )

  test.each([2, 5, 8, 10])('after second %i: broken afterwards it fires nothing', async (last) => {
    const first = await openAlerts(new MemoryJsonFile())
    await first.engine.create(held, 'wait', undefined)
    await play(first, [[0, '99'], ...seconds(1, last)])
    const next = await afterKill(first.file, last)
    await play(next, [[last + 1, '99'], ...seconds(last + 2, last + 11)])
    await next.engine.flush()
    expect(next.engine.page({}).events).toEqual([])
  })

  test('closed for longer than its gap it goes on from what is sure, never sooner', async () => {
    const first = await openAlerts(new MemoryJsonFile())
    await first.engine.create(held, 'wait', undefined)
    await play(first, [[0, '99'], ...seconds(1, 8)])
    const stored = first.file.written.at(-1) as { states: { a: { hold: { heldMs: number } } } }
    const next = await afterKill(first.file, 60)
    await play(next, seconds(60, 80))
    await next.engine.flush()
    const { heldMs } = stored.states.a.hold
    expect(heldMs).toBeGreaterThanOrEqual(5_000)
    expect(next.engine.page({}).events).toMatchObject([
      { inputs: { publishedAtMs: startMs + 60_000 + held.holdMs - heldMs } },
    ])
  })
})
