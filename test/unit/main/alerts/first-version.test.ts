import { expect, test } from 'vitest'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { openAlerts, startMs } from '../../../support/open-alerts'

/** As the app wrote it before rules had terms. */
const document = {
  version: 1,
  rules: [
    oldRule('r1', 'atOrAbove', '100.00'),
    oldRule('r2', 'atOrBelow', '90.0'),
    oldRule('r3', 'atOrAbove', '80'),
    oldRule('r4', 'atOrAbove', '95'),
    oldRule('r5', 'atOrAbove', '120'),
    oldRule('r6', 'atOrAbove', '1,5'),
  ],
  states: {
    r1: { phase: 'armed' },
    r2: { phase: 'armed' },
    r3: { phase: 'triggered' },
    r4: { phase: 'disarmed' },
    r5: { phase: 'waiting', whenAlreadyMet: 'fire' },
  },
  inbox: [
    { ...oldEvent('e1'), delivery: 'clicked', isRead: true },
    { ...oldEvent('e2'), gapSinceMs: startMs - 20_000, delivery: 'pending', isRead: false },
  ],
}

function oldRule(id: string, condition: string, level: string) {
  return { id, indexId: 'BRTI', condition, level, repeat: 'once', createdAtMs: startMs - 60_000 }
}

function oldEvent(id: string) {
  const published = { value: '80.5', publishedAtMs: startMs - 10_000 }
  return {
    id,
    ruleId: 'r3',
    indexId: 'BRTI',
    condition: 'atOrAbove',
    level: '80',
    ...published,
    firedAtMs: startMs - 9_900,
  }
}

async function openOld() {
  return openAlerts(new MemoryJsonFile({ kind: 'ok', value: document }))
}

test('rules of the first version keep what they wait for, as typed, and where they stood', async () => {
  const { engine, notices } = await openOld()
  const once = { version: 1, repeat: { mode: 'once' }, severity: 'normal', createdAtMs: startMs - 60_000 }
  expect(engine.views()).toMatchObject([
    { ...once, id: 'r1', terms: { condition: 'risesTo', level: '100.00' }, phase: 'armed' },
    { ...once, id: 'r2', terms: { condition: 'fallsTo', level: '90.0' }, phase: 'armed' },
    { ...once, id: 'r3', terms: { condition: 'risesTo', level: '80' }, phase: 'triggered' },
    { ...once, id: 'r4', terms: { condition: 'risesTo', level: '95' }, phase: 'disarmed' },
    { ...once, id: 'r5', terms: { condition: 'risesTo', level: '120' }, phase: 'waiting' },
  ])
  expect(notices).toEqual([expect.stringContaining(': 1. They are kept aside')])
})

test('they fire from there on, each once, and no more than they would have', async () => {
  const { engine, publish, fired } = await openOld()
  for (const value of ['99', '130', '85', '131']) publish(value)
  await engine.flush()
  expect(fired.map(({ ruleId, inputs }) => [ruleId, inputs.value])).toEqual([
    ['r1', '130'],
    ['r5', '130'],
    ['r2', '85'],
    ['r4', '131'],
  ])
})

test('the inbox of the first version is the beginning of this one', async () => {
  const { engine, publish, file } = await openOld()
  expect(engine.unreadCount()).toBe(1)
  const common = { kind: 'fired', ruleId: 'r3', ruleVersion: 1, terms: { condition: 'risesTo', level: '80' } }
  expect(engine.inbox()).toMatchObject([
    { ...common, id: 'e2', number: 2, delivery: 'unknown', isRead: false, inputs: { gapSinceMs: startMs - 20_000 } },
    { ...common, id: 'e1', number: 1, delivery: 'clicked', isRead: true, recordedAtMs: startMs - 9_900 },
  ])
  publish('100')
  await engine.flush()
  expect(engine.inbox()[0]).toMatchObject({ number: 3, inputs: { value: '100', direction: 'up' } })
  expect(file.written.at(-1)).toMatchObject({ version: 2, readThrough: 1, setAside: [{ id: 'r6', level: '1,5' }] })
  const next = await openAlerts(file.reopened())
  expect(next.engine.inbox().map(({ number }) => number)).toEqual([3, 2, 1])
  expect(next.notices).toEqual([])
})
