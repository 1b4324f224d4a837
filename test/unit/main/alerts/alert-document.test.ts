import { expect, test } from 'vitest'
import { isAlertDocument, readAlerts, toDocument } from '../../../../main/alerts/alert-document'
import type { AlertEvent } from '../../../../protocol/alert-events'
import type { AlertRule } from '../../../../protocol/alerts'

const rule: AlertRule = {
  id: 'r1',
  indexId: 'BRTI',
  condition: 'atOrAbove',
  level: '68500.00',
  repeat: 'once',
  createdAtMs: 1_698_840_000_000,
}
const event: AlertEvent = {
  id: 'e1',
  ruleId: 'r1',
  indexId: 'BRTI',
  condition: 'atOrAbove',
  level: '68500.00',
  value: '68500.01',
  publishedAtMs: 1_698_840_001_000,
  firedAtMs: 1_698_840_001_050,
  gapSinceMs: 1_698_830_000_000,
  delivery: 'shown',
  isRead: false,
}
const document = { version: 1, rules: [rule], states: { r1: { phase: 'armed' } }, inbox: [event] }

test('is read as it was written', () => {
  const read = readAlerts(document)
  if (read.kind !== 'ok') throw new Error(read.kind)
  expect(read).toEqual({
    kind: 'ok',
    record: { rules: [rule], states: new Map([['r1', { phase: 'armed' }]]), inbox: [event], setAside: [] },
    setAsideCount: 0,
  })
  expect(toDocument(read.record)).toEqual(document)
})

test('keeps single entries that cannot be read aside, and carries them along', () => {
  const bad = [{ ...rule, id: 'r2', level: '68,500' }, { ...rule, id: 'r3', condition: 'crosses' }, rule, null]
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
  ['that of another rule', { r2: { phase: 'armed' } }],
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
