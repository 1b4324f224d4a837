import { describe, expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import { isFiring } from '../../../../core/alert-events'
import { failure, type Watchlist } from '../../../../core/model'
import { ListAlerts } from '../../../../main/alerts/list-alerts'
import { maxRules } from '../../../../main/alerts/refusals'
import { MemoryHistory } from '../../../support/memory-history'
import { onError } from '../../../support/on-error'
import { above, openAlerts } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const minuteMs = 60_000
const everyTime: AlertDraft = { ...above, repeat: { mode: 'everyCrossing' } }
const majors = { listId: 'majors' }
/** `majors` has the section `second` from its second index on. */
const listOf = (...ids: string[]): Watchlist => ({
  id: 'majors',
  name: 'Majors',
  entries: ids.map((id) => ({ id, maxResolution: 'PER_SECOND' })),
  sections: [{ id: 'second', name: 'Second', at: 1 }],
})

/** The engine with a list, and alerts that follow it. */
async function openLists(ids: readonly string[] = ['A', 'B'], history = new MemoryHistory(), prefix = '') {
  const opened = await openAlerts(history, { prefix })
  const { engine, quotes } = opened
  let lists = [listOf(...ids)]
  let unfit: readonly string[] = []
  let areListsKnown = true
  let made = 0
  const alerts = new ListAlerts({
    ...opened,
    newId: () => `list-alert-${++made}`,
    watchlists: () => lists,
    areListsKnown: () => areListsKnown,
    checker: () => (draft) =>
      unfit.includes(draft.indexId) ? failure('condition', 'It has no such value.') : undefined,
    latestOf: (id) => quotes.get(id),
    onError,
  })
  const notices: string[] = []
  alerts.events.on('notice', (notice) => notices.push(notice))
  const settle = async () => {
    await alerts.settled()
    await engine.flush()
  }
  const set = async (...next: readonly Watchlist[]) => {
    lists = [...next]
    alerts.check()
    await settle()
  }
  alerts.check()
  await settle()
  return {
    ...opened,
    alerts,
    set,
    settle,
    notices,
    setIds: (...next: string[]) => set(listOf(...next)),
    setListsKnown: (areKnown: boolean) => (areListsKnown = areKnown),
    setUnfit: (...next: string[]) => (unfit = next),
    /** The values of this index, a second apart. */
    values: (id: string, ...values: string[]) => {
      for (const value of values) opened.publish(value, { id })
    },
    rules: () => engine.views().map(({ id, indexId, phase, version }) => ({ id, indexId, phase, version })),
    told: () =>
      engine
        .inbox()
        .filter(isFiring)
        .map(({ indexId, inputs, kind }) => `${indexId} ${kind} ${inputs.value ?? ''}`)
        .toReversed(),
  }
}

async function openFollowed(...ids: string[]) {
  const opened = await openLists(ids.length === 0 ? undefined : ids)
  const made = await opened.alerts.create(everyTime, majors)
  expect(made).toMatchObject({ ok: true, value: { id: 'list-alert-1', anyOf: 'Majors' } })
  await opened.settle()
  return opened
}

describe('the indices of the list', () => {
  test('have a rule each, with a latch and events of their own', async () => {
    const { values, told, settle, engine } = await openFollowed()
    values('A', '99', '101')
    values('B', '99', '99.5')
    values('A', '101.5')
    values('B', '100')
    await settle()
    expect(told()).toEqual(['A fired 101', 'B fired 100'])
    expect(engine.views().map(({ follows }) => follows)).toEqual(['list-alert-1', 'list-alert-1'])
  })

  test('are those of a section, if the alert is about a section', async () => {
    const { alerts, rules } = await openLists(['A', 'B', 'C'])
    await alerts.create(above, { listId: 'majors', sectionId: 'second' })
    expect(rules().map(({ indexId }) => indexId)).toEqual(['B', 'C'])
  })

  test('that cannot have the condition get no rule until they can', async () => {
    const { alerts, rules, setUnfit, settle } = await openLists()
    setUnfit('A', 'B')
    expect(await alerts.create(above, majors)).toMatchObject({ problem: { code: 'condition' } })
    expect(alerts.all()).toEqual([])
    setUnfit('B')
    await alerts.create(above, majors)
    expect(rules().map(({ indexId }) => indexId)).toEqual(['A'])
    setUnfit()
    alerts.offersChanged()
    await settle()
    expect(rules().map(({ indexId }) => indexId)).toEqual(['A', 'B'])
  })
})

test('a rule that turns out unfit before its first value goes, a later one stays and says why', async () => {
  const { alerts, values, rules, setUnfit, settle } = await openFollowed('A', 'B')
  values('A', '99')
  setUnfit('A', 'B')
  alerts.offersChanged()
  await settle()
  expect(rules().map(({ indexId }) => indexId)).toEqual(['A'])
})

describe('an index that is added to the list later', () => {
  test('is judged from then on, and does not fire because it is above the level already', async () => {
    const { values, told, setIds, settle } = await openFollowed()
    values('C', '99', '101')
    await setIds('A', 'B', 'C')
    values('C', '102')
    await settle()
    expect(told()).toEqual([])
    values('C', '99', '100')
    await settle()
    expect(told()).toEqual(['C fired 100'])
  })

  test('is snoozed with the alert', async () => {
    const { values, engine, fired, setIds, settle } = await openFollowed()
    await engine.snooze({ of: 'rule', ruleId: 'list-alert-1' }, null)
    await setIds('A', 'B', 'C')
    values('C', '99', '101')
    await settle()
    expect(fired).toEqual([])
    expect(engine.inbox()[0]).toMatchObject({ kind: 'fired', indexId: 'C', heldBackBy: 'snooze' })
  })
})

describe('an index that is removed from the list', () => {
  test('is no longer judged, and begins again when it returns after a minute', async () => {
    const { clock, values, told, rules, setIds, settle } = await openFollowed()
    values('B', '99')
    const [, before] = rules()
    await setIds('A')
    values('B', '101')
    await settle()
    expect(rules().map(({ indexId }) => indexId)).toEqual(['A'])
    clock.advance(minuteMs)
    await setIds('A', 'B')
    expect(rules()[1]?.id).not.toBe(before?.id)
    values('B', '102')
    await settle()
    expect(told()).toEqual([])
  })

  test('continues with its state when it returns within a minute, as after an undo', async () => {
    const { values, told, rules, setIds, settle } = await openFollowed()
    values('B', '99')
    const before = rules()
    await setIds('A')
    values('B', '101')
    await setIds('A', 'B')
    await settle()
    expect(
      rules()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(before.map(({ id }) => id).sort())
    expect(told()).toEqual(['B lateFromHistory 101'])
  })
})

test('a deleted list ends the rules and keeps the alert, which says why it cannot fire', async () => {
  const { alerts, rules, set } = await openFollowed()
  const before = rules().map(({ id }) => id)
  const other: Watchlist = { id: 'other', name: 'Other', entries: [] }
  await set(other)
  expect(rules()).toEqual([])
  expect(alerts.all()).toMatchObject([{ name: 'Majors' }])
  await set(other, listOf('A', 'B'))
  expect(rules().map(({ id }) => id)).toEqual(before)
})

test('an edit restarts the rule of each index, and a move to another list replaces them', async () => {
  const { alerts, rules, set } = await openFollowed()
  const other: Watchlist = { ...listOf('B', 'C'), id: 'other', name: 'Other' }
  await set(listOf('A', 'B'), other)
  await alerts.edit('list-alert-1', levelDraft('200'))
  expect(rules()).toMatchObject([{ version: 2 }, { version: 2 }])
  expect(await alerts.edit('list-alert-1', levelDraft('200'), { listId: 'other' })).toMatchObject({
    value: { anyOf: 'Other' },
  })
  expect(rules().map(({ indexId }) => indexId)).toEqual(['B', 'C'])
})

test('a deleted alert is restored with its rules, their states and their snooze', async () => {
  const { alerts, clock, engine, fired, values, rules, settle } = await openFollowed()
  values('A', '99')
  await engine.snooze({ of: 'rule', ruleId: 'list-alert-1' }, null)
  const before = rules().map(({ id }) => id)
  expect(await alerts.remove('list-alert-1')).toEqual({ ok: true, value: null })
  expect([rules(), alerts.all()]).toEqual([[], []])
  clock.advance(60 * minuteMs)
  values('A', '101')
  expect(await alerts.putBack('list-alert-1')).toMatchObject({ ok: true, value: { anyOf: 'Majors' } })
  await settle()
  expect(rules().map(({ id }) => id)).toEqual(before)
  expect(fired).toEqual([])
  expect(engine.inbox()[0]).toMatchObject({ kind: 'lateFromHistory', indexId: 'A', heldBackBy: 'snooze' })
})

test('an alert on a list survives a restart and follows changes made meanwhile', async () => {
  const before = await openFollowed()
  before.values('A', '99')
  await before.settle()
  const kept = before.rules()
  const next = await openLists(['A', 'C'], before.history.reopened(), 'next-')
  expect(next.alerts.all()).toEqual(before.alerts.all())
  expect(next.rules()[0]).toEqual(kept[0])
  expect(next.rules().map(({ indexId }) => indexId)).toEqual(['A', 'C'])
  next.clock.advance(minuteMs)
  next.values('A', '101')
  await next.settle()
  expect(next.told()).toEqual(['A fired 101'])
})

test('an equal alert on the same list is refused, but not one on an index of it', async () => {
  const { alerts, engine } = await openFollowed()
  expect(await alerts.create(levelDraft('0100', { indexId: 'B' }), majors)).toEqual(
    failure('duplicate', 'You already have this alert: Any of Majors rises to 100.00.'),
  )
  expect(await engine.create(levelDraft('100', { indexId: 'A' }), 'wait', undefined)).toMatchObject({ ok: true })
})

test('an alert whose rules would exceed the limit is not made, or stays as it was', async () => {
  const { alerts, engine, rules, set } = await openFollowed('A')
  const other: Watchlist = { ...listOf('B', 'C'), id: 'other', name: 'Other' }
  await set(listOf('A'), other)
  const [kept] = alerts.all()
  const drafts = Array.from({ length: maxRules - 1 }, (_, at) => levelDraft(`${at + 1}`))
  await engine.createAll(drafts, () => undefined)
  const refused = { problem: { code: 'tooManyRules' } }
  expect(await alerts.create(everyTime, { listId: 'other' })).toMatchObject(refused)
  expect(await alerts.edit('list-alert-1', everyTime, { listId: 'other' })).toMatchObject(refused)
  expect(alerts.all()).toEqual([kept])
  expect(rules()).toHaveLength(maxRules)
  expect(rules().filter(({ indexId }) => indexId !== 'BRTI')).toMatchObject([{ id: 'a', indexId: 'A' }])
})

test('no rule is changed while the lists in use are not those that the user saved', async () => {
  const { rules, setIds, setListsKnown } = await openFollowed()
  setListsKnown(false)
  await setIds('C')
  expect(rules().map(({ indexId }) => indexId)).toEqual(['A', 'B'])
  setListsKnown(true)
  await setIds('C')
  expect(rules().map(({ indexId }) => indexId)).toEqual(['C'])
})

test('no rule is changed while the rules of the history are not read', async () => {
  const { alerts, engine, history, rules, setIds } = await openFollowed()
  await engine.leave()
  alerts.leave()
  await setIds('C')
  expect([rules(), alerts.all()]).toEqual([[], []])
  expect(history.written.flatMap(({ removedDocuments = [] }) => removedDocuments)).toEqual([])
  await engine.use()
  await setIds('A', 'B')
  expect(rules().map(({ indexId }) => indexId)).toEqual(['A', 'B'])
})
