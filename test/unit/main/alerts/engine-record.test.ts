import { describe, expect, test } from 'vitest'
import type { AlertView } from '../../../../core/alerts'
import type { Problem } from '../../../../core/model'
import type { HistoryAccess } from '../../../../main/history-store/contract'
import { MemoryHistory, historyWith } from '../../../support/memory-history'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const levels = (views: readonly AlertView[]) => views.map(({ terms }) => 'level' in terms && terms.level)
const disk: Problem = { code: 'diskFull', message: 'Disk full: changes not saved.' }

describe('storing comes before notification', () => {
  test('a firing is in the inbox and notified only after it is stored', async () => {
    const { engine, publish, fired, history, changes } = await openWithRule(above, '99')
    await engine.flush()
    const letThrough = history.holdWrites()
    publish('100')
    await Promise.resolve()
    const before = changes()
    expect([fired, engine.inbox(), engine.unreadCount()]).toEqual([[], [], 0])
    // Events that are not visible yet stay unread.
    engine.markRead()
    letThrough()
    await engine.flush()
    expect(fired).toHaveLength(1)
    expect(engine.inbox()).toMatchObject([{ inputs: { value: '100' }, isRead: false }])
    expect(engine.unreadCount()).toBe(1)
    expect(changes()).toBeGreaterThan(before)
    expect(history.written.at(-1)).toMatchObject({ events: [{ id: 'b' }], firings: [{ eventId: 'b' }] })
  })

  test('a firing lost in a crash before storing fires after the restart', async () => {
    const { engine, publish, history } = await openWithRule(above, '99')
    await engine.flush()
    history.holdWrites()
    publish('100')
    const next = await openAlerts(history.reopened())
    next.clock.advance(2_000)
    next.publish('100', { publishedAtMs: startMs + 60_000 })
    await next.engine.flush()
    expect(next.fired).toMatchObject([{ inputs: { value: '100' } }])
  })

  test('a level passed while the app was closed fires once, with the start of the gap', async () => {
    const { engine, history } = await openWithRule(above, '99')
    await engine.flush()
    const next = await openAlerts(history.reopened())
    next.clock.advance(3_600_000)
    next.publish('101')
    await next.engine.flush()
    expect(next.fired).toMatchObject([{ inputs: { value: '101', gapSinceMs: startMs } }])
  })

  test('a level passed before the rule was created does not fire, also after a restart', async () => {
    const { engine, history } = await openWithRule(above, '101')
    await engine.flush()
    const next = await openAlerts(history.reopened())
    next.publish('102')
    await next.engine.flush()
    expect(next.fired).toEqual([])
    expect(next.engine.views()).toMatchObject([{ phase: 'disarmed' }])
  })

  test('a full disk does not stop alerts, and they are stored when there is room', async () => {
    const { engine, publish, fired, history, notices } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    await engine.create(levelDraft('101'), 'wait', undefined)
    publish('99')
    await engine.flush()
    history.problem = disk
    publish('100')
    publish('101')
    await engine.flush()
    expect(fired).toHaveLength(2)
    // The history itself reports that, once.
    expect(notices).toEqual([])
    history.problem = undefined
    publish('102')
    await engine.flush()
    const { events } = history.store.query('events', {})
    expect(events.map(({ inputs }) => inputs.value)).toEqual(['101', '100'])
  })
})

describe('the inbox', () => {
  test('keeps deliveries and read marks after a restart', async () => {
    const { engine, history, changes } = await openWithRule(above, '99', '100')
    await engine.flush()
    expect(engine.unreadCount()).toBe(1)
    engine.noteOutcome('b', { delivery: 'shown' })
    const before = changes()
    engine.noteOutcome('b', { delivery: 'shown' })
    engine.noteOutcome('none', { delivery: 'failed' })
    expect(changes()).toBe(before)
    engine.markRead()
    engine.markRead()
    expect(changes()).toBe(before + 1)
    await engine.flush()
    const next = await openAlerts(history.reopened())
    expect(next.engine.inbox()).toMatchObject([{ delivery: 'shown', isRead: true }])
    expect(next.engine.unreadCount()).toBe(0)
  })

  test('has the two hundred newest events, newest first', async () => {
    const events = Array.from({ length: 1_500 }, (_, at) => firedEvent(at, above)).slice(1)
    const { engine } = await openAlerts(await historyWith({ events }))
    expect(engine.inbox()).toHaveLength(200)
    expect(engine.inbox()[0]?.id).toBe('e1499')
    expect(engine.unreadCount()).toBe(1_499)
  })
})

describe('a history', () => {
  test('that is new starts empty and without a notice', async () => {
    const { notices, engine } = await openAlerts()
    expect(notices).toEqual([])
    expect(engine.views()).toEqual([])
  })

  test('with unreadable entries is reported, keeps them and evaluates the others', async () => {
    const { engine, history } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    await engine.create(levelDraft('200'), 'wait', undefined)
    const spoilt = { ruleId: 'a', run: 1, document: '{"rule":"guess"}', startedAtMs: startMs }
    await history.commit({ runs: [spoilt], documents: [{ key: 'alerts:snoozes', atMs: startMs, document: '[{}]' }] })
    const next = await openAlerts(history.reopened())
    expect(next.notices).toEqual([
      '2 alert entries could not be read and stayed in the history file. Check your alerts.',
    ])
    expect(levels(next.engine.views())).toEqual(['200'])
    expect(next.history.store.query('runs', { ruleId: 'a' })).toMatchObject([{ document: spoilt.document }])
  })

  test('of an older version without the start of each run continues its alerts', async () => {
    const { engine, history, publish } = await openAlerts()
    publish('98')
    await engine.create(above, 'wait', undefined)
    publish('99')
    await engine.flush()
    const rows = history.store.query('runs', { ruleId: 'a' })
    const runs = rows.map((run) => ({ ...run, document: run.document.replace(/"sinceMs":\d+,/, '') }))
    expect(runs).not.toEqual(rows)
    await history.commit({ runs })
    const next = await openAlerts(history.reopened(), { prefix: 'x' })
    expect(next.notices).toEqual([])
    next.publish('100', { publishedAtMs: startMs + 60_000 })
    await next.engine.flush()
    expect(next.fired).toMatchObject([{ inputs: { value: '100' } }])
  })

  test('with a state that cannot be read is reported, and the rule waits', async () => {
    const { history } = await openWithRule(above, '99')
    await history.commit({ checkpoints: [{ ruleId: 'a', run: 1, publishedAtMs: startMs, state: '{"isDone":7}' }] })
    const next = await openAlerts(history.reopened())
    expect(next.notices).toEqual([expect.stringContaining('1 alert entry could not be read')])
    expect(next.engine.views()).toMatchObject([{ phase: 'waiting' }])
  })

  test('that cannot be read refuses alerts until it can', async () => {
    const history = new MemoryHistory()
    history.isLocked = true
    const { engine } = await openAlerts(history)
    expect(engine.isJudging).toBe(false)
    expect(await engine.create(above, 'wait', undefined)).toMatchObject({
      problem: { code: 'notReady', message: 'The alerts cannot be read now: Another process uses it.' },
    })
    expect(await engine.read()).toBe(false)
    history.isLocked = false
    expect([await engine.read(), engine.isJudging]).toEqual([true, true])
    expect(await engine.create(above, 'wait', undefined)).toMatchObject({ ok: true })
  })
})

test('an error in one listener is logged and does not stop the others', async () => {
  const { engine, publish, fired, lines } = await openAlerts()
  engine.events.on('notify', () => {
    throw new Error('no notifications here')
  })
  await engine.create(above, 'wait', undefined)
  publish('99')
  publish('100')
  await engine.flush()
  expect(fired).toHaveLength(1)
  expect(lines).toEqual([expect.stringContaining('no notifications here')])
})

/** A history that can be switched, as when another kind of service is chosen. */
function switchable(first: MemoryHistory): HistoryAccess & { current: MemoryHistory } {
  return {
    current: first,
    append(values) {
      this.current.append(values)
    },
    commit(turn) {
      return this.current.commit(turn)
    },
    query(question, asked) {
      return this.current.query(question, asked)
    },
  }
}

test('each service has its own rules and inbox, also after a switch back', async () => {
  const [own, other] = [new MemoryHistory(), new MemoryHistory()]
  const history = switchable(own)
  const { engine, publish, fired } = await openAlerts(history)
  await engine.create(above, 'wait', undefined)
  publish('99')
  await engine.leave()
  const early = await engine.create(levelDraft('200'), 'wait', undefined)
  expect(early).toMatchObject({ ok: false, problem: { code: 'notReady' } })
  history.current = other
  await engine.use()
  expect([engine.views(), engine.inbox()]).toEqual([[], []])
  publish('101')
  await engine.flush()
  expect(fired).toEqual([])
  await engine.leave()
  history.current = own
  await engine.use()
  expect(engine.views()).toMatchObject([{ terms: { level: '100.00' }, phase: 'armed' }])
  publish('102')
  await engine.flush()
  expect(fired).toMatchObject([{ inputs: { value: '102' } }])
  expect(other.written).toEqual([])
})

test('no alert is created while a history is being read', async () => {
  const { engine } = await openAlerts()
  await engine.create(above, 'wait', undefined)
  const using = engine.use()
  const early = await engine.create(levelDraft('200'), 'wait', undefined)
  expect(early).toMatchObject({ ok: false, problem: { code: 'notReady' } })
  await using
  expect(levels(engine.views())).toEqual(['100.00'])
  expect(await engine.create(levelDraft('200'), 'wait', undefined)).toMatchObject({ ok: true })
  expect(levels(engine.views())).toEqual(['100.00', '200'])
})

test('of two histories opened together only the later is used', async () => {
  const own = new MemoryHistory()
  const history = switchable(own)
  const { engine } = await openAlerts(history)
  await engine.create(above, 'wait', undefined)
  const earlier = engine.use()
  history.current = new MemoryHistory()
  await Promise.all([earlier, engine.use()])
  expect(engine.views()).toEqual([])
})
