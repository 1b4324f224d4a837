import { describe, expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import type { ConstituentsPublication, Quote } from '../../../../core/model'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const minuteMs = 60_000

function cached(value: string, publishedAtMs: number): Quote {
  return { id: 'BRTI', value, publishedAtMs, source: 'cache' }
}

/** An engine with one rule that fired on the crossing from 99 to 101. */
async function openFired(draft: AlertDraft) {
  const opened = await openWithRule(draft, '99', '101')
  await opened.engine.flush()
  return opened
}

test('an event keeps its connection if another one is used after a restart', async () => {
  const before = await openFired(above)
  expect(before.fired).toMatchObject([{ connection: 'Desk', isDemo: false }])
  const origin = { connection: 'Backup', isDemo: false }
  const next = await openAlerts(before.history.reopened(), { origin })
  expect(next.engine.inbox()).toMatchObject([{ kind: 'fired', connection: 'Desk', isDemo: false }])
  await next.engine.create(levelDraft('200'), 'wait', undefined)
  await next.engine.snooze({ of: 'index', indexId: 'BRTI' }, null)
  expect(next.engine.inbox()[0]).toMatchObject({ kind: 'snoozed', ...origin })
})

test('an amendment made while the app was closed retracts the firing and re-arms the rule', async () => {
  const before = await openFired(above)
  before.engine.noteOutcome(before.fired[0]?.id ?? '', { delivery: 'shown' })
  await before.engine.flush()
  const next = await openAlerts(before.history.reopened())
  next.quotes.seed([cached('101', startMs + 1_000)])
  next.publish('98', { publishedAtMs: startMs + 1_000, amendedAtMs: startMs + minuteMs })
  await next.engine.flush()
  expect(next.fired).toMatchObject([{ kind: 'retracted', aboutEventId: before.fired[0]?.id }])
  expect(next.engine.views()).toMatchObject([{ phase: 'armed' }])
})

test('constituents with a publish time far ahead are ignored', async () => {
  const { engine, fired } = await openAlerts()
  const terms = { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' } as const
  await engine.create({ ...levelDraft(), terms }, 'wait', undefined)
  const publish = (weightPercent: string, publishedAtMs: number) => {
    const constituents = [{ constituent: 'BTC', value: '1', weightPercent }]
    const publication: ConstituentsPublication = { value: '1', publishedAtMs, constituents }
    engine.considerConstituents('BRTI', publication)
  }
  publish('55', startMs)
  publish('55', startMs + 60 * minuteMs)
  publish('61', startMs + 1_000)
  await engine.flush()
  expect(fired).toMatchObject([{ inputs: { value: '61', constituent: 'BTC' } }])
})

describe('a restart continues', () => {
  /** The rule has seen these values, one a second. Then the app is killed and starts a minute later. */
  async function goingOn(draft: AlertDraft, values: string[]) {
    const before = await openAlerts()
    await before.engine.create(draft, 'wait', undefined)
    for (const value of values) before.publish(value)
    await before.engine.flush()
    const next = await openAlerts(before.history.reopened())
    next.clock.advance(minuteMs)
    /** Publishes this many more values at this interval. Returns which ones fire. */
    const firedAt = async (count: number, everyMs: number) => {
      const found: number[] = []
      for (let at = 0; at < count; at++) {
        const known = next.fired.length
        next.publish('101')
        await next.engine.flush()
        if (next.fired.length > known) found.push(at)
        next.clock.advance(everyMs - 1_000)
      }
      return found
    }
    return { firedAt, before }
  }

  test('a hold with the time before the restart, without the time between', async () => {
    const { firedAt, before } = await goingOn({ ...above, holdMs: 5_000 }, ['99', '101', '101', '101'])
    expect(before.fired).toEqual([])
    // Held for two seconds before. The first value ends the gap, so three more seconds are needed.
    expect(await firedAt(6, 1_000)).toEqual([3])
  })

  test('a repeat while true, counted from the last true value', async () => {
    const draft: AlertDraft = {
      ...levelDraft('100', { condition: 'isAbove' }),
      repeat: { mode: 'whileTrue', everyMinutes: 5 },
    }
    const { firedAt, before } = await goingOn(draft, ['99', '101', '101'])
    expect(before.fired).toHaveLength(1)
    expect(await firedAt(12, minuteMs)).toEqual([5, 10])
  })
})

test('a crossing while the history is locked fires late as soon as it can be read', async () => {
  const { history } = await openWithRule({ ...above, repeat: { mode: 'everyCrossing' } }, '99')
  const locked = history.reopened()
  locked.isLocked = true
  const { engine, publish, fired, clock } = await openAlerts(locked, { prefix: 'x' })
  for (const [at, value] of ['101.50', '98', '97'].entries())
    publish(value, { publishedAtMs: startMs + 60_000 * (at + 1) })
  await engine.flush()
  expect([engine.views(), fired]).toEqual([[], []])
  locked.isLocked = false
  expect(await engine.read()).toBe(true)
  await engine.flush()
  expect(engine.inbox()).toMatchObject([{ delivery: 'pending' }])
  clock.advance(5_000)
  expect(fired).toMatchObject([{ kind: 'lateFromHistory', inputs: { value: '101.50' } }])
  publish('103', { publishedAtMs: startMs + 300_000 })
  await engine.flush()
  expect(fired.slice(1)).toMatchObject([{ kind: 'fired', inputs: { value: '103' } }])
})

test('a value received while the history was locked fires once, though its rule began later', async () => {
  const { engine: before, history, publish: receive, clock: wall } = await openAlerts()
  receive('99')
  wall.advance(5_000)
  await before.create(above, 'wait', { id: 'BRTI', value: '99', publishedAtMs: startMs, source: 'stream' })
  await before.flush()
  const locked = history.reopened()
  locked.isLocked = true
  const { engine, publish } = await openAlerts(locked, { prefix: 'x' })
  for (const [at, value] of ['101.50', '98'].entries()) publish(value, { publishedAtMs: startMs + 1_000 * (at + 1) })
  locked.isLocked = false
  await engine.read()
  await engine.flush()
  expect(engine.inbox()).toMatchObject([{ kind: 'lateFromHistory', inputs: { value: '101.50' } }])
})
