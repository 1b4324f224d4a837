import { expect, test } from 'vitest'
import { firingOf, templateProblem, testMessage, webhookMessage } from '../../../../main/webhook/message'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const publishedAtMs = Date.UTC(2023, 10, 1, 14, 2, 11, 400)
const inputs = { value: '68500.120', publishedAtMs, direction: 'up' } as const
const withNote = { sendsNote: true }
const withoutNote = { sendsNote: false }

test('control and bidirectional characters are removed from every text', () => {
  const note = 'a\u001b[2J\u009b\u0085\u2028\u202eb'
  const { record, text, facts } = webhookMessage(firedEvent(1, levelDraft(), { note }), withNote)
  expect(JSON.stringify([record, text, facts])).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(record['note']).toBe('a[2J b')
})

test('a record has the event in words and fields, with all digits and UTC times', () => {
  const event = firedEvent(1, levelDraft('68500.0'), {
    recordedAtMs: publishedAtMs + 30,
    inputs: { ...inputs, gapSinceMs: publishedAtMs - 60_000 },
    note: 'Sell "half"',
    connection: 'Desk',
    isDemo: false,
  })
  const message = webhookMessage(event, withNote)
  expect(message.record).toEqual({
    schema: 1,
    eventId: 'e1',
    number: 1,
    kind: 'fired',
    text: 'BRTI rose to 68,500.120 (level 68,500.0), crossed in a gap between 2023-11-01T14:01:11.400Z and 2023-11-01T14:02:11.400Z',
    id: 'BRTI',
    ruleId: event.ruleId,
    ruleVersion: 1,
    rule: 'BRTI rises to 68500.0',
    condition: 'risesTo',
    level: '68500.0',
    severity: 'normal',
    recorded: '2023-11-01T14:02:11.430Z',
    value: '68500.120',
    published: '2023-11-01T14:02:11.400Z',
    gapSince: '2023-11-01T14:01:11.400Z',
    direction: 'up',
    note: 'Sell "half"',
    connection: 'Desk',
    isDemo: false,
  })
  expect(message.facts).toEqual([
    ['Value', '68500.120'],
    ['Published', '2023-11-01T14:02:11.400Z'],
    ['Note', 'Sell "half"'],
  ])
})

test('a note is sent only if the user says so, also by a template', () => {
  const event = firedEvent(1, levelDraft(), { note: 'private' })
  for (const options of [withoutNote, { template: '{id} {note}', ...withoutNote }]) {
    expect(JSON.stringify(webhookMessage(event, options))).not.toContain('private')
  }
  expect(webhookMessage(event, { template: '{id}: {note}', ...withNote }).text).toBe('BRTI: private')
})

test('an event of the demo service says so first, also with a template', () => {
  const event = firedEvent(1, levelDraft(), { connection: 'Demo', isDemo: true })
  const { record, text } = webhookMessage(event, withoutNote)
  expect(record).toMatchObject({ connection: 'Demo', isDemo: true })
  expect(text).toMatch(/^Demo · BRTI /)
  expect(webhookMessage(event, { template: '{id} {value}', ...withoutNote }).text).toMatch(/^Demo · BRTI \d/)
})

test('a template names fields of the record, and a field that no event has is refused', () => {
  const event = firedEvent(1, levelDraft('68500.0'), { inputs })
  const { text, facts, record } = webhookMessage(event, { template: '{id} at {value} {amended}!', ...withoutNote })
  expect([text, record['text'], facts]).toEqual(['BRTI at 68500.120 !', 'BRTI at 68500.120 !', []])
  expect(templateProblem('{id} {value}')).toBeUndefined()
  expect(templateProblem('{id} {price}')).toContain('There is no field {price}.')
  expect(templateProblem('{delivery}')).toContain('There is no field {delivery}.')
})

test('a record leaves out what the event does not have', () => {
  const event = { ...firedEvent(1, levelDraft()), terms: { condition: 'noUpdate' } as const, inputs: {} }
  expect(Object.keys(webhookMessage(event, withoutNote).record)).toEqual([
    'schema',
    'eventId',
    'number',
    'kind',
    'text',
    'id',
    'ruleId',
    'ruleVersion',
    'rule',
    'condition',
    'severity',
    'recorded',
  ])
})

test('a record stays small however much is sent', () => {
  const joined = Array.from({ length: 10_000 }, (_, at) => `NAME${at}`)
  const terms = { condition: 'constituentsChanged' } as const
  const event = { ...firedEvent(1, levelDraft()), terms, inputs: { joined }, note: '\u0000'.repeat(500) }
  expect(Buffer.byteLength(JSON.stringify(webhookMessage(event, withNote)))).toBeLessThan(8 * 1024)
})

test('a firing and its retraction have the same key, and only the retraction is over', () => {
  const fired = firedEvent(7, levelDraft())
  const retracted = { ...firedEvent(8, levelDraft()), kind: 'retracted' as const, aboutEventId: fired.id }
  const [open, over] = [fired, retracted].map((event) =>
    webhookMessage(event, withoutNote, { firingId: firingOf(event, [fired]) }),
  )
  expect([open?.isOver, over?.isOver]).toEqual([false, true])
  expect([open?.key, over?.key]).toEqual([`indexwatch/${fired.ruleId}/e7`, `indexwatch/${fired.ruleId}/e7`])
})

test('a silence that ended has the key of the last firing of its alert before it', () => {
  const events = [6, 5, 4].map((number) => firedEvent(number, levelDraft()))
  const recovered = { ...firedEvent(5, levelDraft()), id: 'over', kind: 'recovered' as const }
  expect(firingOf(recovered, events)).toBe('e4')
  expect(firingOf({ ...recovered, ruleId: 'other' }, events)).toBe('over')
})

test('several events as one have the highest severity and no facts', () => {
  const urgent = firedEvent(2, { ...levelDraft(), severity: 'urgent' })
  const message = webhookMessage(firedEvent(1, levelDraft()), withoutNote, { others: [urgent] })
  expect([message.severity, message.facts, message.text.split('\n').length]).toEqual(['urgent', [], 2])
})

test('a test message has the time and no value', () => {
  expect(testMessage(publishedAtMs).record).toEqual({
    schema: 1,
    kind: 'test',
    text: 'Test message from Indexwatch',
    recorded: '2023-11-01T14:02:11.400Z',
  })
})
