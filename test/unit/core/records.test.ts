import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  alertRecord,
  amendmentRecord,
  constituentRecord,
  contributionFacts,
  evaluationRecord,
  exchangeRecord,
  inboxRecord,
  kindOf,
  eventRecord,
  quoteRecord,
  recordCells,
  recordJson,
  records,
  valueRecord,
  type ProgramRecord,
} from '../../../core/records'
import { firedEvent, levelDraft, ruleView } from '../../support/sample-alerts'

const noon = Date.UTC(2023, 10, 1, 12)
const publication = { value: '79767.340', publishedAtMs: noon, amendedAtMs: noon + 1_000 }
/** A mean that lacks values. */
const incomplete = { ...publication, missing: 2 }
const calculation = { ...publication, constituents: [] }
const event = firedEvent(1, levelDraft('68500.0'), {
  recordedAtMs: noon + 50,
  hours: { days: ['mon'], from: '09:00', to: '17:00', timeZone: 'UTC' },
  inputs: {
    value: '68500.120',
    publishedAtMs: noon,
    amendedAtMs: noon,
    direction: 'up',
    gapSinceMs: noon,
    missedSinceMs: noon,
    over: { value: '1', publishedAtMs: noon },
  },
  unknown: { fromMs: noon, toMs: noon, indexIds: ['BRTI'] },
  aboutEventId: 'e0',
  note: 'Sell',
  connection: 'Desk',
  isDemo: false,
  heldBackBy: 'cooldown',
  webhookResult: 'example.org answered 204',
  secondChannel: 'sent',
})
const change = { id: 'NCI', from: noon, to: noon, kind: 'reweighted', constituent: 'ETH', before: '30', after: '28' }

/** One of each, with every field. */
const complete: Record<keyof typeof records, ProgramRecord> = {
  value: valueRecord({ ...incomplete, id: 'BRTI', learnedAtMs: noon, origin: 'rest', connection: 'Desk' }, noon),
  quote: quoteRecord({
    id: 'BRTI',
    name: 'Bitcoin',
    quote: {
      ...incomplete,
      source: 'cache',
      ageMs: 1_234.4,
      isStale: true,
      connection: 'Desk',
      reference: { kind: 'previousClose', value: '80000.00', publishedAtMs: noon },
    },
    frequency: 'PER_SECOND',
    isDemo: true,
    refusal: 'Unrecognised id',
  }),
  constituent: {
    ...{ id: 'NCI', published: noon, divisor: '1.0250' },
    ...constituentRecord({ constituent: 'BTC', value: '1', weightPercent: '60.5' }),
    ...exchangeRecord({ exchange: 'Kraken', weightPercent: '70' }),
  },
  constituentChange: change,
  contribution: {
    ...contributionFacts('NCI', 'base', { now: calculation, then: calculation }),
    ...{ part: 'constituent', constituent: 'BTC', valueBefore: '1', value: '2' },
    ...{ weightPercentBefore: '1', weightPercent: '2', contribution: '0.10' },
  },
  amendment: amendmentRecord({
    ...{ id: 'BRTI', publishedAtMs: noon, amendedAtMs: noon, learnedAtMs: noon, connection: 'Desk' },
    ...{ before: '100.10', after: '100.20', difference: '0.10', alerts: [event, event] },
  }),
  alert: alertRecord({
    ...ruleView('r1', levelDraft('110')),
    reach: { cannotFire: 'the provider refuses BRTI', sinceMs: noon },
    note: 'Sell',
    group: 'Desk',
    expiresAt: { atMs: noon, timeZone: 'UTC' },
  }),
  event: eventRecord(event),
  inboxEvent: inboxRecord(event),
  evaluation: evaluationRecord({
    ...{ atMs: noon, publishedAtMs: noon, value: '1.0', phaseBefore: 'armed', phaseAfter: 'triggered' },
    ...{ hasFired: true, words: 'was reached' },
  }),
}

const kinds = Object.keys(records) as (keyof typeof records)[]

test.each(kinds)('%s has the same names as JSON keys and as CSV columns', (kind) =>
  expect(Object.keys(recordJson(complete[kind]))).toEqual(records[kind]),
)

test.each(kinds)('%s has the same values as JSON and as CSV', (kind) => {
  const written = Object.values(recordJson(complete[kind])).map((value) => {
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    return Array.isArray(value) ? value.join('; ') : String(value)
  })
  expect(recordCells(records[kind], complete[kind])).toEqual(written)
})

test('a quote has the published digits, its exact change and its times in UTC', () =>
  expect(recordJson(complete.quote)).toEqual({
    id: 'BRTI',
    name: 'Bitcoin',
    value: '79767.340',
    published: '2023-11-01T12:00:00.000Z',
    amended: '2023-11-01T12:00:01.000Z',
    isCarriedForward: false,
    missing: 2,
    change: '-232.660',
    changePercent: '-0.29',
    baseline: 'utcMidnight',
    ageMs: 1_234,
    isStale: true,
    source: 'history',
    connection: 'Desk',
    frequency: 'PER_SECOND',
    isDemo: true,
    problem: 'The provider refused it: Unrecognised id',
  }))

test('an unknown field is left out of JSON and empty in CSV', () => {
  const unknown = quoteRecord({ id: 'NEW', isDemo: false })
  expect(recordJson(unknown)).toEqual({ id: 'NEW', isDemo: false, problem: 'No value received yet.' })
  expect(recordCells(['id', 'value', 'published', 'isStale', 'isDemo'], unknown)).toEqual([
    ...['NEW', undefined, undefined, undefined, 'no'],
  ])
})

test('a mute of all alerts names no index and no rule', () => {
  const muted = recordJson(eventRecord({ ...event, kind: 'snoozed', isMute: true }))
  expect(muted).toMatchObject({ text: 'All alerts muted until you unmute them · Desk' })
  for (const name of ['id', 'ruleId', 'ruleVersion', 'rule', 'condition', 'level'])
    expect(muted).not.toHaveProperty(name)
})

test('only text fields are cleaned for a reader', () =>
  expect(recordJson(complete.amendment, (text) => `(${text})`)).toMatchObject({
    id: '(BRTI)',
    before: '100.10',
    amended: '2023-11-01T12:00:00.000Z',
    alerts: ['(BRTI rises to 68500.0, Mon 09:00–17:00 UTC)'],
  }))

test('the record of an alert does not contain its webhook address', () => {
  const alert = alertRecord({ ...ruleView('r1', levelDraft()), webhookUrl: 'https://hook.example/secret-path' })
  expect(JSON.stringify(recordJson(alert))).not.toContain('hook.example')
})

/** Field and type in each row of a section of the reference. */
function rowsOfReference(kind: string): [string | undefined, string | undefined][] {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/records.md'), 'utf8')
  const section = page.split(/^## /m).find((each) => each.startsWith(`\`${kind}\`\n`)) ?? ''
  return [...section.matchAll(/^\| `(\w+)` +\| `(\w+)` /gm)].map(([, name, type]) => [name, type])
}

test.each(kinds)('the reference lists every field of %s with its kind', (kind) => {
  // The reference lists the first field of an event for all events of the inbox.
  const names = kind === 'inboxEvent' ? records.inboxEvent.filter((name) => !isOfEvent(name)) : records[kind]
  expect(rowsOfReference(kind)).toEqual(names.map((name) => [name, kindOf(name)]))
})

const isOfEvent = (name: string) => records.event.some((each) => each === name && name !== 'eventId')
