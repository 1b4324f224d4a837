import { describe, expect, test } from 'vitest'
import { Batcher } from '../../../../main/ipc/batcher'
import type { WindowLists, WindowState, WindowUpdate } from '../../../../protocol/desktop'
import { fromJson } from '../../../../protocol/json'
import type { AlertView } from '../../../../core/alerts'
import type { Quote } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'

function quote(id: string, value: string): Quote {
  return { id, value, publishedAtMs: 1_000, source: 'stream' }
}

function start({ isVisible = true, alertIds = [] as string[] } = {}) {
  const clock = new FakeClock()
  const sent: WindowUpdate[] = []
  const lists: WindowLists = { alerts: alertIds.map((id) => ({ id }) as AlertView), inbox: [] }
  const batcher = new Batcher({
    clock,
    send: (update) => sent.push(fromJson(update)),
    ageMs: () => 250,
    lists: () => lists,
    maxEntries: 2,
  })
  if (isVisible) {
    batcher.resume()
    clock.advance(100)
    sent.length = 0
  }
  return { clock, sent, batcher, lists }
}

describe('the batcher', () => {
  test('pushes on the next turn if the last push is long ago', () => {
    const { clock, sent, batcher } = start()
    batcher.quoteChanged(quote('BRTI', '1.10'))
    expect(sent).toHaveLength(0)
    clock.advance(0)
    expect(sent[0]?.quotes).toEqual([{ ...quote('BRTI', '1.10'), ageMs: 250 }])
  })

  test('keeps only the newest value of each index', () => {
    const { clock, sent, batcher } = start()
    for (const value of ['1', '2', '3']) batcher.quoteChanged(quote('BRTI', value))
    batcher.quoteChanged(quote('BRR', '9'))
    clock.advance(0)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.quotes.map(({ id, value }) => [id, value])).toEqual([
      ['BRTI', '3'],
      ['BRR', '9'],
    ])
  })

  test('pushes at most 250 times a second, ending with the newest value', () => {
    const { clock, sent, batcher } = start()
    for (let ms = 0; ms < 1_000; ms++) {
      batcher.quoteChanged(quote('BRTI', String(ms)))
      clock.advance(1)
    }
    clock.advance(10)
    expect(sent.length).toBeGreaterThan(200)
    expect(sent.length).toBeLessThanOrEqual(251)
    expect(sent.at(-1)?.quotes[0]?.value).toBe('999')
  })

  test('numbers pushes without gaps and merges parts of the state', () => {
    const { clock, sent, batcher } = start()
    batcher.stateChanged({ appVersion: '1', notices: [] })
    batcher.stateChanged({ appVersion: '2' })
    clock.advance(10)
    batcher.rowChanged({ id: 'BRTI', refusal: 'Unrecognised id' })
    clock.advance(10)
    expect(sent.map((update) => update.state)).toEqual([{ appVersion: '2', notices: [] }, {}])
    expect((sent[1]?.number ?? 0) - (sent[0]?.number ?? 0)).toBe(1)
    expect(sent[1]?.rows).toEqual([{ id: 'BRTI', refusal: 'Unrecognised id' }])
  })

  test('sends nothing while paused, then skips a number so that the page asks', () => {
    const { clock, sent, batcher } = start()
    batcher.quoteChanged(quote('BRTI', '1'))
    clock.advance(10)
    batcher.pause()
    batcher.quoteChanged(quote('BRTI', '2'))
    clock.advance(1_000)
    expect(sent).toHaveLength(1)
    batcher.resume()
    clock.advance(10)
    expect(sent).toHaveLength(2)
    expect((sent[1]?.number ?? 0) - (sent[0]?.number ?? 0)).toBe(2)
    expect(sent[1]?.quotes).toEqual([])
  })

  test('a push that was due when the window closed is not sent', () => {
    const { clock, sent, batcher } = start()
    batcher.quoteChanged(quote('BRTI', '1'))
    batcher.pause()
    clock.advance(100)
    expect(sent).toHaveLength(0)
  })

  test('a snapshot has the number of the last push, and the next push continues', () => {
    const { clock, sent, batcher } = start()
    batcher.quoteChanged(quote('BRTI', '1'))
    const state = { alerts: [], inbox: [] } as unknown as Parameters<Batcher['snapshot']>[2]
    const snapshot = fromJson(batcher.snapshot([quote('BRTI', '1')], [], state))
    clock.advance(10)
    expect(sent[0]?.number).toBe(snapshot.number + 1)
    expect(snapshot.quotes[0]?.ageMs).toBe(250)
  })

  test('resync makes a visible page ask, and a hidden one stay quiet', () => {
    const visible = start()
    visible.batcher.resync()
    visible.clock.advance(10)
    expect(visible.sent).toHaveLength(1)
    const hidden = start({ isVisible: false })
    hidden.batcher.resync()
    hidden.clock.advance(10)
    expect(hidden.sent).toHaveLength(0)
  })
  test('an unchanged list is not sent and uses no number', () => {
    const { clock, sent, batcher } = start()
    batcher.listsChanged()
    clock.advance(10)
    expect(sent).toEqual([])
    batcher.quoteChanged(quote('BRTI', '1'))
    clock.advance(10)
    batcher.quoteChanged(quote('BRTI', '2'))
    clock.advance(10)
    expect((sent[1]?.number ?? 0) - (sent[0]?.number ?? 0)).toBe(1)
  })

  test('a snapshot has the first of many alerts, and pushes bring the rest in order', () => {
    const { clock, sent, batcher, lists } = start({ alertIds: ['a', 'b', 'c', 'd', 'e'] })
    const state = { ...lists } as WindowState
    const ids = (alerts: readonly { id: string }[] = []) => alerts.map(({ id }) => id)
    expect(ids(fromJson(batcher.snapshot([], [], state)).state.alerts)).toEqual(['a', 'b'])
    clock.advance(0)
    // An entry that changes in between is sent in its new state.
    lists.alerts = lists.alerts.map((alert) => (alert.id === 'e' ? { ...alert, phase: 'armed' } : alert))
    clock.advance(1_000)
    expect(sent.map((update) => ids(update.lists?.alerts?.put))).toEqual([['c', 'd'], ['e']])
    expect(sent[1]?.lists?.alerts?.put).toEqual([{ id: 'e', phase: 'armed' }])
    batcher.listsChanged()
    clock.advance(1_000)
    expect(sent).toHaveLength(2)
  })

  test('a second snapshot in between continues from its own end', () => {
    const { clock, sent, batcher, lists } = start({ alertIds: ['a', 'b', 'c', 'd', 'e'] })
    const state = { ...lists } as WindowState
    batcher.snapshot([], [], state)
    clock.advance(0)
    batcher.snapshot([], [], state)
    clock.advance(1_000)
    const put = sent.flatMap((update) => update.lists?.alerts?.put ?? []).map(({ id }) => id)
    expect(put).toEqual(['c', 'd', 'c', 'd', 'e'])
  })
})
