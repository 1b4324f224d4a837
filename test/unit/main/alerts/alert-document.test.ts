import { expect, test } from 'vitest'
import { isAlertDocument, readAlerts, toDocument } from '../../../../main/alerts/alert-document'
import { initialState } from '../../../../main/alerts/rules/state'
import type { AlertRule } from '../../../../protocol/alerts'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const rule: AlertRule = { ...levelDraft(), id: 'r1', version: 3, createdAtMs: 1_698_840_000_000, note: 'Sell half.' }
const before = initialState('wait')
const state = { ...before, isUpArmed: true }
const event = firedEvent(7, levelDraft(), { ruleId: 'r1', heldBackBy: 'cooldown', delivery: 'heldBack' })
const document = {
  version: 1,
  rules: [rule],
  states: { r1: state },
  fired: { r1: [{ eventId: 'e7', publication: { value: '68500.01', publishedAtMs: 1_698_840_001_000 }, before }] },
  policy: { snoozes: [{ scope: { of: 'all' }, untilMs: null }], rules: { r1: { suspension: 'It fired too often.' } } },
  inbox: [event],
  readThrough: 6,
}

test('is read as it was written', () => {
  const read = readAlerts(document)
  if (read.kind !== 'ok') throw new Error(read.kind)
  const { policy } = document
  expect(read).toEqual({
    kind: 'ok',
    record: {
      rules: [rule],
      states: new Map([['r1', state]]),
      fired: new Map([['r1', document.fired.r1]]),
      policy,
      inbox: [event],
      readThrough: 6,
      setAside: [],
    },
    setAsideCount: 0,
  })
  expect(toDocument(read.record)).toEqual(document)
})

test('keeps single entries that cannot be read aside, and carries them along', () => {
  const other = { ...rule, id: 'r2', terms: { condition: 'risesTo', level: '68,500' } }
  const bad = [other, { ...rule, id: 'r3', terms: { condition: 'guesses' } }, rule, null]
  const badEvents = [{ ...event, id: 'e2', delivery: 'sent' }]
  const read = readAlerts({ ...document, rules: [rule, ...bad], inbox: [event, ...badEvents], setAside: ['older'] })
  if (read.kind !== 'ok') throw new Error(read.kind)
  expect(read.record).toMatchObject({ rules: [rule], inbox: [event], setAside: ['older', ...bad, ...badEvents] })
  expect(read.setAsideCount).toBe(5)
  const again = readAlerts(JSON.parse(JSON.stringify(toDocument(read.record))))
  expect(again).toMatchObject({ record: { setAside: ['older', ...bad, ...badEvents] }, setAsideCount: 0 })
})

test('keeps what is damaged beside a rule aside, and the rest of it in use', () => {
  const second = { ...rule, id: 'r2', terms: { condition: 'risesTo', level: '70000' } }
  const badState = { ...state, isUpArmed: 'yes' }
  const badSteps = [{ eventId: 'e7' }]
  const sameNumber = { ...event, id: 'e8' }
  const read = readAlerts({
    ...document,
    rules: [rule, second],
    states: { r1: badState, r2: state },
    fired: { r1: badSteps, r2: document.fired.r1 },
    policy: { ...document.policy, rules: { r1: 42, r2: { suspension: 'It fired too often.' } } },
    inbox: [event, sameNumber],
    readThrough: -1,
  })
  const aside = [
    sameNumber,
    { ruleId: 'r1', state: badState },
    { ruleId: 'r1', fired: badSteps },
    { ruleId: 'r1', policy: 42 },
    { readThrough: -1 },
  ]
  expect(read).toEqual({
    kind: 'ok',
    record: {
      rules: [rule, second],
      states: new Map([['r2', state]]),
      fired: new Map([['r2', document.fired.r1]]),
      policy: { ...document.policy, rules: { r2: { suspension: 'It fired too often.' } } },
      inbox: [event],
      setAside: aside,
    },
    setAsideCount: aside.length,
  })
})

test.each([
  ['fired', 42],
  ['policy', []],
  ['readThrough', 'all'],
])('loses no rule to a %s that is no good', (name, value) => {
  const read = readAlerts({ ...document, [name]: value })
  expect(read).toMatchObject({ record: { rules: [rule], setAside: [{ [name]: value }] }, setAsideCount: 1 })
})

test('reads again whatever a firing may have said', () => {
  // 128 characters are what a value may have.
  const value = `1.${'3'.repeat(126)}`
  const long = { ...event, inputs: { value, publishedAtMs: 1, previous: { value, publishedAtMs: 0 }, change: value } }
  expect(readAlerts({ ...document, inbox: [long] })).toMatchObject({ record: { inbox: [long] }, setAsideCount: 0 })
})

test.each([
  ['missing', {}],
  ['unknown', { r1: { phase: 'ready' } }],
  ['that of another rule', { r2: state }],
])('leaves a rule whose state is %s to its first value', (_, states) => {
  expect(readAlerts({ ...document, states })).toMatchObject({ record: { rules: [rule], states: new Map() } })
})

test.each([
  [document, 'ok'],
  [{ version: 2 }, 'newer'],
  [{ ...document, version: 0 }, 'invalid'],
  [{ ...document, version: '1' }, 'invalid'],
  [{ version: 1, rules: [] }, 'invalid'],
  [{ ...document, inbox: {} }, 'invalid'],
  [[document], 'invalid'],
  [{}, 'invalid'],
])('%j is %s', (value, kind) => {
  expect(readAlerts(value).kind).toBe(kind)
  expect(isAlertDocument(value)).toBe(kind !== 'invalid')
})

test.each([
  ['a value that is no number', { value: 'much', publishedAtMs: 1 }],
  ['a time that no date can name', { value: '1', publishedAtMs: 1e300 }],
])('does not judge again what was judged by %s', (_, publication) => {
  const steps = [{ eventId: 'e7', publication, before }]
  expect(readAlerts({ ...document, fired: { r1: steps } })).toMatchObject({
    record: { rules: [rule], fired: new Map(), setAside: [{ ruleId: 'r1', fired: steps }] },
  })
})
