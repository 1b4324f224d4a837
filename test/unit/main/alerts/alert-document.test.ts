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
  version: 2,
  rules: [rule],
  states: { r1: state },
  fired: { r1: [{ eventId: 'e7', publication: { value: '68500.01', publishedAtMs: 1_698_840_001_000 }, before }] },
  quiet: { snoozes: [{ scope: { of: 'all' }, untilMs: null }], rules: { r1: { suspension: 'It fired too often.' } } },
  inbox: [event],
  readThrough: 6,
}

test('is read as it was written', () => {
  const read = readAlerts(document)
  if (read.kind !== 'ok') throw new Error(read.kind)
  const { quiet } = document
  expect(read).toEqual({
    kind: 'ok',
    record: {
      rules: [rule],
      states: new Map([['r1', state]]),
      fired: new Map([['r1', document.fired.r1]]),
      quiet,
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

test.each([
  ['missing', {}],
  ['unknown', { r1: { phase: 'ready' } }],
  ['that of another rule', { r2: state }],
])('leaves a rule whose state is %s to its first value', (_, states) => {
  expect(readAlerts({ ...document, states })).toMatchObject({ record: { rules: [rule], states: new Map() } })
})

test.each([
  [document, 'ok'],
  [{ version: 3 }, 'newer'],
  [{ ...document, version: 0 }, 'invalid'],
  [{ ...document, version: '1' }, 'invalid'],
  [{ version: 2, rules: [] }, 'invalid'],
  [{ ...document, inbox: {} }, 'invalid'],
  [[document], 'invalid'],
  [{}, 'invalid'],
])('%j is %s', (value, kind) => {
  expect(readAlerts(value).kind).toBe(kind)
  expect(isAlertDocument(value)).toBe(kind !== 'invalid')
})
