import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../../core/alert-events'
import { UnsentEvents } from '../../../../main/webhook/unsent-events'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const own = 'https://own.example/hook?token=s3cret'
const second = 'https://second.example/hook'

/** An app that ends with these events unsent, or starts with what `file` has. */
function open(file: MemoryJsonFile, unsent: { event: AlertEvent; address: string }[] = []) {
  const clock = new FakeClock(firedEvent(1, levelDraft()).recordedAtMs + 60_000)
  const sent: unknown[] = []
  const results: unknown[] = []
  const events = new UnsentEvents({
    file,
    clock,
    webhooks: { unsent, send: ({ id }, address) => sent.push([id, address]) },
    addressOf: ({ ruleId }, channel) => (channel === 'secondChannel' ? second : ruleId === 'gone' ? undefined : own),
    onResult: (id, result) => results.push([id, result]),
  })
  return { clock, events, sent, results }
}

const asKept = (file: MemoryJsonFile) => new MemoryJsonFile({ kind: 'ok', value: file.written.at(-1) })
const event = (number: number, more: Partial<AlertEvent> = {}) => firedEvent(number, levelDraft(), more)

test('what webhooks did not get goes out at the next start, once, and its address is not stored', async () => {
  const file = new MemoryJsonFile()
  await open(file, [
    { event: event(1), address: own },
    { event: event(2), address: second },
  ]).events.keep()
  expect(JSON.stringify(file.written)).not.toContain('example')
  const next = asKept(file)
  const { events, sent } = open(next)
  await events.send()
  await events.send()
  expect(sent).toEqual([
    ['e1', own],
    ['e2', second],
  ])
  expect(next.written).toEqual([{ events: [] }])
})

test('nothing goes out twice: if the file cannot be cleared, nothing is sent', async () => {
  const file = new MemoryJsonFile()
  await open(file, [{ event: event(1), address: own }]).events.keep()
  const next = asKept(file)
  next.problem = { code: 'diskFull', message: 'The disk is full.' }
  const { events, sent } = open(next)
  await events.send()
  expect(sent).toEqual([])
})

test('an event older than an hour, and one whose alert is gone, are not sent', async () => {
  const file = new MemoryJsonFile()
  await open(file, [
    { event: event(1), address: own },
    { event: event(2, { ruleId: 'gone' }), address: own },
  ]).events.keep()
  const { clock, events, sent, results } = open(asKept(file))
  await clock.advance(3_600_000)
  await events.send()
  expect(sent).toEqual([])
  expect(results).toContainEqual(['e1', { webhookResult: 'Not sent: the app was closed for more than an hour' }])
})

test('an app that ends before it could send them keeps them, with its own', async () => {
  const file = new MemoryJsonFile()
  await open(file, [{ event: event(1), address: own }]).events.keep()
  const next = asKept(file)
  await open(next, [{ event: event(2), address: own }]).events.keep()
  expect(next.written).toMatchObject([{ events: [{ event: { id: 'e1' } }, { event: { id: 'e2' } }] }])
})

test.each([undefined, { events: 1 }, { events: [{ event: { id: 'x' }, channel: 'webhookResult' }] }])(
  'a file that holds something else sends nothing: %j',
  async (value) => {
    const { events, sent } = open(new MemoryJsonFile({ kind: 'ok', value }))
    await events.send()
    expect(sent).toEqual([])
  },
)
