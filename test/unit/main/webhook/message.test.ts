import { expect, test } from 'vitest'
import { webhookMessage } from '../../../../main/webhook/message'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const publishedAtMs = Date.UTC(2023, 10, 1, 14, 2, 11, 400)
const inputs = { value: '68500.120', publishedAtMs, direction: 'up' } as const

test('says what happened in words and in parts, with every digit and times in UTC', () => {
  const event = firedEvent(1, levelDraft('68500.0'), {
    recordedAtMs: publishedAtMs + 30,
    inputs: { ...inputs, gapSinceMs: publishedAtMs - 60_000 },
    note: 'Sell "half"',
  })
  expect(JSON.parse(webhookMessage(event))).toEqual({
    id: 'e1',
    event: 'fired',
    text: 'BRTI rose to 68,500.120 (level 68,500.0), crossed in a gap between 2023-11-01T14:01:11.400Z and 2023-11-01T14:02:11.400Z',
    index: 'BRTI',
    severity: 'normal',
    condition: 'risesTo',
    level: '68500.0',
    value: '68500.120',
    publishedAt: '2023-11-01T14:02:11.400Z',
    gapSince: '2023-11-01T14:01:11.400Z',
    recordedAt: '2023-11-01T14:02:11.430Z',
    note: 'Sell "half"',
  })
})

test('leaves out what the event does not have', () => {
  const event = { ...firedEvent(1, levelDraft()), terms: { condition: 'noUpdate' } as const, inputs: {} }
  expect(Object.keys(JSON.parse(webhookMessage(event)) as object)).toEqual([
    'id',
    'event',
    'text',
    'index',
    'severity',
    'condition',
    'recordedAt',
  ])
})

test('stays small however much is told', () => {
  const joined = Array.from({ length: 10_000 }, (_, at) => `NAME${at}`)
  const terms = { condition: 'constituentsChanged' } as const
  const event = { ...firedEvent(1, levelDraft()), terms, inputs: { joined }, note: '\u0000'.repeat(500) }
  expect(Buffer.byteLength(webhookMessage(event))).toBeLessThan(8 * 1024)
})
