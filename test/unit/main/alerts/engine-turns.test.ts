import { describe, expect, test } from 'vitest'
import { newRecord } from '../../../../main/alerts/record'
import { RuleTable, type Place } from '../../../../main/alerts/rule-table'
import type { AlertDraft, AlertRule } from '../../../../core/alerts'
import { BusyClock } from '../../../support/busy-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const count = 900
/** All fire at 5,000. */
const drafts: AlertDraft[] = Array.from({ length: count }, (_, at) => levelDraft(`${1_000 + at}`))
/** At the clock's pace, a turn has room for about a hundred rules. */
const maxInPart = 110

async function openMany(history = new MemoryHistory()) {
  const opened = await openAlerts(history, { clock: new BusyClock(startMs) })
  const made = await opened.engine.createAll(drafts, () => undefined)
  expect(made).toEqual({ ok: true, value: { adds: count } })
  opened.publish('100')
  await opened.engine.flush()
  history.written.length = 0
  return opened
}

describe('hundreds of rules that fire at one value', () => {
  test('are stored in parts, in their order, and are one notification', async () => {
    const { engine, publish, history, fired } = await openMany()
    const ruleIds = engine.views().map(({ id }) => id)
    let notifications = 0
    engine.events.on('notify', () => notifications++)
    publish('5000')
    expect([history.written.length, notifications]).toEqual([0, 0])
    await engine.flush()
    const eventsInTurns = history.written.map(({ events = [] }) => events.length)
    expect(Math.max(...eventsInTurns)).toBeLessThan(maxInPart)
    const events = history.written.flatMap(({ events = [] }) => events)
    expect(events.map(({ ruleId }) => ruleId)).toEqual(ruleIds)
    expect(events.map(({ number }) => number)).toEqual(ruleIds.map((_, at) => at + 1))
    expect([notifications, fired.map(({ ruleId }) => ruleId)]).toEqual([1, ruleIds])
  })

  test('each have their event, firing and state in one transaction', async () => {
    const { engine, publish, history } = await openMany()
    publish('5000')
    await engine.flush()
    for (const { events = [], firings = [], checkpoints = [] } of history.written) {
      const ids = events.map(({ ruleId }) => ruleId)
      expect(firings.map(({ ruleId }) => ruleId)).toEqual(ids)
      expect(checkpoints.map(({ ruleId }) => ruleId)).toEqual(ids)
    }
  })

  test('fire before values published after it, also of another index', async () => {
    const { engine, publish, fired } = await openMany()
    await engine.create(levelDraft('7', { indexId: 'BRR' }), 'wait', undefined)
    publish('6', { id: 'BRR' })
    publish('5000')
    publish('8', { id: 'BRR' })
    publish('9000')
    await engine.flush()
    expect(fired.map(({ indexId }) => indexId)).toEqual([...Array.from({ length: count }, () => 'BRTI'), 'BRR'])
  })

  test('do not fire if they are deleted before their turn', async () => {
    const { engine, publish, fired } = await openMany()
    const last = engine.views().at(-1)?.id ?? ''
    publish('5000')
    await engine.remove(last)
    await engine.flush()
    expect(fired.length).toBe(count - 1)
    expect(fired.map(({ ruleId }) => ruleId)).not.toContain(last)
  })

  test('are each in the inbox once if the app is killed between two parts', async () => {
    const { engine, publish, history, fired } = await openMany()
    const ruleIds = engine.views().map(({ id }) => id)
    publish('5000')
    const storedEvents = () => history.written.flatMap(({ events = [] }) => events)
    // More than the inbox keeps in memory.
    while (storedEvents().length <= 200) await nextTurn()
    const stored = storedEvents().length
    expect([stored < count, fired.length]).toEqual([true, 0])
    const again = history.reopened()
    const next = await openAlerts(again, { clock: new BusyClock(startMs + 10_000), prefix: 'next-' })
    await next.engine.flush()
    next.clock.advance(2_000)
    const known = new Map(history.written.flatMap(({ events = [] }) => events.map((event) => [event.id, event])))
    for (const { events = [] } of again.written) for (const event of events) known.set(event.id, event)
    const firings = [...known.values()].filter(({ kind }) => kind !== 'notKnown')
    expect(firings.map(({ ruleId }) => ruleId).sort()).toEqual(ruleIds.toSorted())
    expect(firings.slice(0, stored).map(({ kind, delivery }) => `${kind} ${delivery}`)).toEqual(
      Array.from({ length: stored }, () => 'fired unknown'),
    )
    expect(next.fired.map(({ kind }) => kind)).toEqual(Array.from({ length: count - stored }, () => 'lateFromHistory'))
  })

  test('are marked as shown in parts', async () => {
    const { engine, publish, history } = await openMany()
    publish('5000')
    await engine.flush()
    const events = history.written.flatMap(({ events = [] }) => events)
    history.written.length = 0
    for (const { id } of events) engine.noteOutcome(id, { delivery: 'inDigest' })
    await engine.flush()
    const noted = history.written.flatMap(({ events = [] }) => events)
    expect(noted.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    expect(new Set(noted.map(({ delivery }) => delivery))).toEqual(new Set(['inDigest']))
    expect(history.written.length).toBeLessThan(50)
  })
})

describe('an import', () => {
  const other = levelDraft('7', { indexId: 'BRR' })

  test('is one transaction without a firing that is stored during it', async () => {
    const history = new MemoryHistory()
    const { engine, publish } = await openAlerts(history, { clock: new BusyClock(startMs) })
    await engine.create(other, 'wait', undefined)
    publish('6', { id: 'BRR' })
    await engine.flush()
    history.written.length = 0
    const making = engine.createAll(drafts, () => undefined)
    await nextTurn()
    publish('8', { id: 'BRR' })
    await making
    await engine.flush()
    const [first] = history.written
    expect([first?.events?.length, first?.rules?.length]).toEqual([1, 0])
    expect(history.written.flatMap(({ rules = [] }) => (rules.length > 0 ? [rules.length] : []))).toEqual([count])
    expect(engine.views()).toHaveLength(count + 1)
  })

  test('has no active rules until all are created', async () => {
    const { engine } = await openAlerts(new MemoryHistory(), { clock: new BusyClock(startMs) })
    const counts = new Set<number>()
    const answers: unknown[] = []
    void engine.createAll(drafts, () => undefined).then((answer) => answers.push(answer))
    while (answers.length === 0) {
      counts.add(engine.views().length)
      await nextTurn()
    }
    counts.add(engine.views().length)
    expect(counts).toEqual(new Set([0, count]))
  })

  test('fires those of its rules for a value that were created before it', async () => {
    const { engine, publish, fired, quotes } = await openAlerts(new MemoryHistory(), { clock: new BusyClock(startMs) })
    publish('100')
    let madeCount = 0
    const making = engine.createAll(drafts, (id) => {
      madeCount++
      return quotes.get(id)
    })
    while (madeCount === 0) await nextTurn()
    const madeBefore = madeCount
    publish('5000')
    publish('100')
    await making
    await engine.flush()
    expect([madeBefore < count, fired.length]).toEqual([true, madeBefore])
    expect(new Set(fired.map(({ inputs }) => inputs.value))).toEqual(new Set(['5000']))
  })
})

describe('one of many rules', () => {
  const ruleAt = (at: number, indexId: string): AlertRule => ({
    ...levelDraft(`${at}`, { indexId }),
    id: `r${at}`,
    version: 1,
    createdAtMs: startMs,
  })
  const recordAt = (at: number, indexId: string) =>
    newRecord({ number: 1, rule: ruleAt(at, indexId), first: 'wait', startedAtMs: startMs, sinceMs: 0 }, at)

  const positionOf = ({ record }: Place) => record.position

  test('does not change the lists of other indices when it is removed or edited', () => {
    const rules = new RuleTable()
    for (let at = 1; at <= 100; at++) rules.put(recordAt(at, at % 2 === 0 ? 'BRTI' : 'BRR'))
    const others = [rules.ofIndex('BRR'), rules.foldedOf('BRR')]
    rules.remove('r4')
    rules.put(recordAt(6, 'BRTI'))
    expect([rules.ofIndex('BRR') === others[0], rules.foldedOf('BRR') === others[1]]).toEqual([true, true])
    expect(rules.ofIndex('BRTI').map(positionOf).slice(0, 4)).toEqual([2, 6, 8, 10])
  })

  test('keeps its position when it is edited to another index', () => {
    const rules = new RuleTable()
    for (let at = 1; at <= 6; at++) rules.put(recordAt(at, at % 2 === 0 ? 'BRTI' : 'BRR'))
    rules.put(recordAt(3, 'BRTI'))
    expect(rules.ofIndex('BRTI').map(positionOf)).toEqual([2, 3, 4, 6])
    expect(rules.ofIndex('BRR').map(positionOf)).toEqual([1, 5])
    expect(rules.all().map(positionOf)).toEqual([1, 2, 3, 4, 5, 6])
  })
})
