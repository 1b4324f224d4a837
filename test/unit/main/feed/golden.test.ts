import { describe, expect, test } from 'vitest'
import { decodeFrame } from '../../../../main/feed/decode'
import {
  noRefusals,
  noSubscriptions,
  subscriptionMessages,
  wantedSubscriptions,
} from '../../../../main/feed/subscriptions'
import { streams } from '../../../../core/model'
import type { Subscription } from '../../../../core/model'
import { goldenCases, goldenFiles, goldenText } from '../../../support/golden'

const cases = goldenCases()
const named = (from: string, readable: boolean) =>
  cases
    .filter((each) => each.from === from && each.readable === readable)
    .map((each) => [`${each.spec} ${each.channel}: ${each.title}`, each] as const)

test('the index and the folder of golden messages list the same files', () =>
  expect(cases.map(({ file }) => file).sort()).toEqual(goldenFiles().sort()))

describe('golden messages of the service are read', () =>
  test.each(named('server', true))('%s', (_name, { file, decoded }) =>
    expect(decodeFrame(goldenText(file))).toEqual(decoded),
  ))

describe('golden messages that break the protocol are dropped with the known fault', () =>
  test.each(named('server', false))('%s', (_name, { file, refused }) =>
    expect(decodeFrame(goldenText(file))).toMatchObject({ kind: 'unreadable', fault: refused }),
  ))

describe('sends the golden command', () => {
  const sent = (before: Subscription[], after: Subscription[]) =>
    subscriptionMessages(wantedSubscriptions(before), wantedSubscriptions(after), noRefusals()).map((message) =>
      JSON.stringify(message),
    )

  test.each([
    ['subscribe-value.json', { stream: 'value', id: 'BRR' }],
    ['subscribe-value-every-tick.json', { stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' }],
    ['subscribe-constituents.json', { stream: 'constituents', id: 'NCI' }],
    ['subscribe-corporate-action.json', { stream: 'active_corporate_action', id: 'TSLAXUSD_RTI' }],
    ['subscribe-rti-stats.json', { stream: 'rti_stats', id: 'BRTI' }],
  ] satisfies [string, Subscription][])('%s', (file, subscription) =>
    expect(sent([], [subscription])).toEqual([goldenText(file)]),
  )

  test.each([
    ['unsubscribe-value.json', { stream: 'value', id: 'BRTI' }],
    ['unsubscribe-constituents.json', { stream: 'constituents', id: 'NCI' }],
  ] satisfies [string, Subscription][])('%s', (file, subscription) =>
    expect(sent([subscription], [])).toEqual([goldenText(file)]),
  )

  test('for every stream', () => {
    const wanted = wantedSubscriptions(streams.map((stream) => ({ stream, id: 'X' })))
    const asked = subscriptionMessages(noSubscriptions, wanted, noRefusals()).flatMap((message) =>
      message.type === 'subscribe' ? [message.stream] : [],
    )
    const golden = cases.filter(({ from, file }) => from === 'client' && file.startsWith('subscribe-'))
    for (const stream of asked) expect(golden.map(({ channel }) => channel)).toContain(stream)
  })
})
