import fc from 'fast-check'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { AlertPushes } from '../../../../main/app/page-feed'
import { documentsOf } from '../../../../main/features/alerts'
import { Batcher } from '../../../../main/ipc/batcher'
import type { WindowState, WindowUpdate } from '../../../../protocol/desktop'
import { fromJson, toJson, type Json } from '../../../../protocol/json'
import { Mirror } from '../../../../renderer/state/mirror.svelte'
import { ok } from '../../../support/fake-desktop'
import { historyWith } from '../../../support/memory-history'
import { openAlerts } from '../../../support/open-alerts'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'
import { sampleSnapshot } from '../../../support/sample-window'
import { examples } from '../../../support/examples'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const turn = () => new Promise((resolve) => setImmediate(resolve))
const crossing = (level: string) =>
  ({ ...levelDraft(level, { condition: 'crosses' }), repeat: { mode: 'everyCrossing' } }) as const

/** The engine, the push of its changes, and a page. The test decides when messages arrive and frames are drawn. */
async function openWindow(events: number) {
  const kept = Array.from({ length: events }, (_, at) => firedEvent(at + 1, levelDraft(), { isRead: at % 3 !== 0 }))
  const opened = await openAlerts(await historyWith({ events: kept }))
  const { clock, engine: alerts, quotes } = opened
  const alertDocuments = () => documentsOf(alerts)
  const state = (): WindowState => ({
    ...sampleSnapshot().state,
    alerts: alerts.views(),
    inbox: alerts.inbox(),
    ...alertDocuments(),
  })
  let listener: ((update: Json<WindowUpdate>) => void) | undefined
  let answers: (() => void)[] = []
  /** Frames that the page requested. `draw` runs them. */
  let frames: (() => void)[] = []
  const batcher = new Batcher({
    clock,
    send: (update) => listener?.(update),
    ageMs: () => 0,
    lists: () => ({ alerts: alerts.views(), inbox: alerts.inbox() }),
    // Fewer than there are rules, so that they are sent in several updates.
    maxEntries: 2,
  })
  const pushes = new AlertPushes({ clock, alertDocuments }, batcher)
  alerts.events.on('changed', () => pushes.changed())
  quotes.events.on('changed', () => pushes.valueSeen())
  const snapshot = () => fromJson(batcher.snapshot([], [], state()))
  let mirror: Mirror | undefined
  let stop: (() => void) | undefined
  const load = () => {
    stop?.()
    frames = []
    answers = []
    const api: ConstructorParameters<typeof Mirror>[0] = {
      onUpdate: (next) => {
        listener = next
        return () => {
          listener = undefined
        }
      },
      getSnapshot: () => {
        const answer = snapshot()
        return new Promise((resolve) => {
          answers.push(() => resolve(ok(answer)))
        })
      },
    }
    const onNextFrame = (run: () => void) => {
      frames.push(run)
      return () => undefined
    }
    mirror = new Mirror(api, onNextFrame)
    stop = mirror.start()
  }
  const show = (isSeen: boolean) => {
    pushes.watch(isSeen)
    if (isSeen) batcher.resume()
    else batcher.pause()
  }
  const answer = async () => {
    for (const each of answers.splice(0)) each()
    await turn()
  }
  const draw = () => {
    for (const each of frames.splice(0)) each()
  }
  /** Answers and draws until nothing is pending. */
  const settle = async () => {
    await alerts.flush()
    for (let round = 0; round < 4; round++) {
      clock.advance(2_000)
      // Makes the page retry its request for a snapshot.
      vi.advanceTimersByTime(10_000)
      await turn()
      await answer()
      draw()
    }
  }
  const shown = () => {
    const { alerts: rules, inbox, unreadCount, olderEventsVersion, snoozes } = mirror?.state ?? state()
    return { rules, inbox, unreadCount, olderEventsVersion, snoozes }
  }
  const there = () => ({ rules: alerts.views(), inbox: alerts.inbox(), ...alertDocuments() })
  load()
  show(true)
  return { ...opened, batcher, load, show, answer, draw, settle, shown, there, snapshot, stop: () => stop?.() }
}

type Opened = Awaited<ReturnType<typeof openWindow>>

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

/** What can happen to rules, events and the window. */
const doings: Record<string, (opened: Opened, at: number) => unknown> = {
  make: ({ engine }, at) => engine.create(crossing(`${90 + (at % 20)}.${at % 10}5`), 'wait', undefined),
  publish: ({ receive, clock }, at) => {
    clock.advance(1)
    receive('BRTI', { value: `${85 + (at % 30)}`, publishedAtMs: clock.wallMs() })
  },
  remove: ({ engine }, at) => engine.remove(pick(engine.views(), at)?.id ?? 'none'),
  edit: ({ engine }, at) =>
    engine.edit(pick(engine.views(), at)?.id ?? 'none', crossing(`${80 + (at % 40)}.01`), 'wait', undefined),
  read: ({ engine }) => engine.markRead(),
  deliver: ({ engine }, at) => engine.noteOutcome(pick(engine.inbox(), at)?.id ?? 'none', { delivery: 'clicked' }),
  deliverOlder: ({ engine }, at) => engine.noteOutcome(`e${(at % 20) + 1}`, { delivery: 'failed' }),
  snooze: ({ engine }) => engine.snooze({ of: 'all' }, null),
  pass: ({ clock }, at) => {
    clock.advance(at)
    vi.advanceTimersByTime(at)
  },
  answer: ({ answer }) => answer(),
  draw: ({ draw }) => draw(),
  hide: ({ show }) => show(false),
  show: ({ show }) => show(true),
  reload: ({ load }) => load(),
  resync: ({ batcher }) => batcher.resync(),
  // A request whose answer does not reach the page.
  askBeside: ({ snapshot }) => snapshot(),
}

const doing = fc.tuple(fc.constantFrom(...Object.keys(doings)), fc.nat(400))

test('after anything that happens to rules, events and the window, the page shows what there is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(doing, { maxLength: 50 }), fc.boolean(), async (steps, isLong) => {
      const opened = await openWindow(isLong ? 230 : 0)
      for (const [name, at] of steps) await doings[name]?.(opened, at)
      opened.show(true)
      await opened.settle()
      expect(opened.shown()).toEqual(opened.there())
      opened.stop()
    }),
    { numRuns: examples(100) },
  )
})

/** A page with one value that is 57 s old. */
async function openAges() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: 1_800_000_000_000 })
  const [quote] = sampleSnapshot().quotes
  if (quote === undefined) throw new Error('the sample has no quote')
  let update: ((update: Json<WindowUpdate>) => void) | undefined
  const snapshot = { ...sampleSnapshot(), number: 1, quotes: [{ ...quote, ageMs: 57_000 }] }
  const mirror = new Mirror(
    {
      onUpdate: (listener) => {
        update = listener
        return () => undefined
      },
      getSnapshot: () => Promise.resolve(ok(snapshot)),
    },
    (run) => {
      queueMicrotask(run)
      return () => undefined
    },
  )
  const row = mirror.row(quote.id)
  onTestFinished(mirror.start())
  await turn()
  /** The ages shown after each update within some seconds. */
  const agesWithin = (seconds: number) =>
    Array.from({ length: seconds }, () => {
      const beforeMs = mirror.agesAtMs
      vi.advanceTimersByTime(1_000)
      return mirror.agesAtMs === beforeMs ? [] : [row.ageText]
    }).flat()
  let number = 1
  /** Sends the value published this much later. */
  const push = async (laterMs: number, ageMs: number) => {
    const publishedAtMs = quote.publishedAtMs + laterMs
    update?.(toJson({ number: ++number, quotes: [{ ...quote, publishedAtMs, ageMs }], rows: [], state: {} }))
    await turn()
  }
  return { row, agesWithin, push }
}

test('ages are updated each second below a minute, then each minute, and again with a new value', async () => {
  const { row, agesWithin, push } = await openAges()
  expect(agesWithin(2)).toEqual(['58 s', '59 s'])
  const later = agesWithin(118)
  expect(later.length).toBeLessThanOrEqual(5)
  expect(new Set(later)).toEqual(new Set(['1 min', '2 min']))

  // Just after an update, with the next one almost a minute away.
  expect(agesWithin(4).at(-1)).toBe('3 min')
  await push(1, 0)
  expect(row.ageText).toBe('0 s')
  expect(agesWithin(5).length).toBeGreaterThanOrEqual(4)
})

test('the same value received again is no younger', async () => {
  const { row, agesWithin, push } = await openAges()
  await push(1, 100)
  agesWithin(5)
  expect(row.ageText).toBe('5 s')
  await push(1, 100)
  agesWithin(2)
  expect(row.ageText).toBe('7 s')
})
