/** Sequences of values that go through the whole engine. Those of a single rule are in test/unit/core/conditions/. */
import { describe, expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import type { Quote } from '../../../../core/model'
import type { MemoryHistory } from '../../../support/memory-history'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const every = { repeat: { mode: 'everyCrossing' } } as const

const rising = (level = '100'): AlertDraft => ({ ...levelDraft(level), ...every })

/** A value, or a whole quote. */
type Step = string | (Partial<Quote> & { value: string })

/** An engine with this rule, and a function that publishes values, one a second. */
async function open(draft: AlertDraft, history?: MemoryHistory) {
  const opened = await openAlerts(history)
  if (history === undefined) await opened.engine.create(draft, 'wait', undefined)
  const publishAll = async (...steps: Step[]) => {
    for (const step of steps)
      opened.publish(typeof step === 'string' ? step : step.value, typeof step === 'string' ? {} : step)
    await opened.engine.flush()
  }
  return { ...opened, publishAll }
}

describe('two hours of sleep, then a value above', () => {
  test('fire with the start of the gap', async () => {
    const opened = await open(rising())
    await opened.publishAll('99')
    opened.clock.sleep(2 * hour)
    opened.engine.woke()
    await opened.publishAll('101')
    expect(opened.fired).toMatchObject([{ inputs: { value: '101', gapSinceMs: startMs } }])
  })

  test('do not complete a hold and are not a silence', async () => {
    const opened = await open({ ...rising(), holdMs: 5 * second })
    const silence: AlertDraft = { ...rising(), terms: { condition: 'noUpdate', afterMs: minute } }
    await opened.engine.create(silence, 'wait', undefined)
    await opened.publishAll('99', '101')
    opened.clock.sleep(2 * hour)
    opened.engine.woke()
    await opened.publishAll('101', '101', '101', '101', '101')
    expect(opened.fired).toEqual([])
    await opened.publishAll('101')
    expect(opened.fired).toMatchObject([{ ruleId: 'a', inputs: { heldSinceMs: startMs + second } }])
  })
})

describe('an amendment', () => {
  const amended = { publishedAtMs: startMs + second, amendedAtMs: startMs + minute }

  test('that undoes a crossing retracts it with one notification', async () => {
    const opened = await open(rising())
    await opened.publishAll('99', '101', '99', { value: '98', ...amended }, { value: '98', ...amended })
    expect(opened.fired.map(({ kind }) => kind)).toEqual(['fired', 'retracted'])
    expect(opened.fired[1]).toMatchObject({ aboutEventId: opened.fired[0]?.id, inputs: { value: '98' } })
  })

  test('that creates a crossing fires late once', async () => {
    const opened = await open(rising())
    await opened.publishAll('99', '99.5', '99', { value: '101', ...amended }, { value: '101', ...amended })
    expect(opened.fired).toMatchObject([{ kind: 'lateByAmendment', inputs: { value: '101', ...amended } }])
  })
})

test('a firing before a restart stays in the inbox and does not fire again', async () => {
  const before = await open(rising())
  await before.publishAll('99', '101')
  // Stored, and killed before the notification.
  const next = await open(rising(), before.history.reopened())
  next.quotes.seed([{ id: 'BRTI', value: '101', publishedAtMs: startMs + second, source: 'cache' }])
  next.clock.advance(2 * second)
  await next.publishAll({ value: '101', publishedAtMs: startMs + second }, '102')
  expect(next.fired).toEqual([])
  expect(next.engine.inbox()).toMatchObject([{ kind: 'fired', delivery: 'unknown', isRead: false }])
  await next.publishAll('99', '101')
  expect(next.fired).toHaveLength(1)
})

test('removed rules are notified neither by a value nor by silence', async () => {
  const opened = await open(rising())
  const silence: AlertDraft = { ...rising(), terms: { condition: 'noUpdate', afterMs: minute } }
  await opened.engine.create(silence, 'wait', undefined)
  await opened.engine.create(rising('200'), 'wait', undefined)
  await opened.publishAll('99')
  for (const ruleId of ['a', 'b']) await opened.engine.remove(ruleId)
  opened.quotes.forget('BRTI')
  opened.clock.advance(10 * minute)
  await opened.publishAll('101', '201')
  expect(opened.fired.map(({ ruleId }) => ruleId)).toEqual(['c'])
})
