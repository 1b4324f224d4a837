import { describe, expect, test } from 'vitest'
import { goldenCases, goldenText } from '../support/golden'
import { get, openClient, openSimulator } from './stream-client'

/** The shape of a message: field names, types, and for lists the shape of an element. */
type Shape = string | { [name: string]: Shape } | Shape[]

const decimal = /^-?\d+(\.\d+)?(e-?\d+)?$/

/** Fields whose names are data (ids, assets, exchanges) and interchangeable. */
const namedByData = new Set(['weights', 'volumes', 'latest_values', 'summaries'])

function shapeOf(value: unknown, name = ''): Shape {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => shapeOf(item))
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
    if (namedByData.has(name)) return fields.slice(0, 1).map(([, field]) => shapeOf(field))
    return Object.fromEntries(fields.map(([key, field]) => [key, shapeOf(field, key)]))
  }
  if (typeof value === 'string' && decimal.test(value)) return 'decimal'
  return value === null ? 'null' : typeof value
}

const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>

describe('what a client sends', () => {
  for (const { file, spec, title, readable } of goldenCases().filter(({ from }) => from === 'client')) {
    test(`${spec} ${title} is ${readable ? 'accepted' : 'refused with a reason'} (${file})`, async () => {
      const { client } = await openClient()
      // Unsubscribing needs a subscription first.
      if (file.startsWith('unsubscribe')) client.send({ ...parsed(goldenText(file)), type: 'subscribe' })
      await client.settled()
      const before = client.frames.length
      client.send(goldenText(file))
      const answers = (await client.messages()).slice(before - 1)
      const failures = answers.filter(({ success }) => success === false)
      if (readable) expect(failures).toEqual([])
      else {
        const { type, id, stream } = parsed(goldenText(file))
        expect(failures).toEqual([{ type, id, stream, success: false, reason: expect.stringMatching(/\w/) as string }])
      }
    })
  }
})

describe('what the service sends has the shape of the sample', () => {
  const streamed: [string, object][] = [
    ['value.json', { type: 'subscribe', stream: 'value', id: 'BRTI' }],
    ['value-scientific.json', { type: 'subscribe', stream: 'value', id: 'SHIBUSD_RTI' }],
    ['constituents-exchange-family.json', { type: 'subscribe', stream: 'constituents', id: 'NCI' }],
    ['constituents-basket.json', { type: 'subscribe', stream: 'constituents', id: 'UC5_RTI_TR' }],
    ['rti-stats.json', { type: 'subscribe', stream: 'rti_stats', id: 'BRTI' }],
    ['weight.json', { type: 'subscribe', stream: 'weight', id: 'UC5_RTI_TR' }],
    ['info.json', { type: 'info' }],
    ['subscribe-failed-value.json', { type: 'subscribe', stream: 'value', id: 'NOSUCH' }],
    ['subscribe-failed-constituents.json', { type: 'subscribe', stream: 'constituents', id: 'NOSUCH' }],
  ]
  test.each(streamed)('%s', async (file, command) => {
    const { client } = await openClient()
    client.send(command)
    const [answer] = await client.messages()
    expect(shapeOf(answer)).toEqual(shapeOf(parsed(goldenText(file))))
  })

  test('value.json, with the keys in order', async () => {
    const { client } = await openClient()
    client.subscribe('BRTI')
    const [answer] = await client.messages()
    expect(Object.keys(answer ?? {})).toEqual(Object.keys(parsed(goldenText('value.json'))))
  })

  const requests: [string, string][] = [
    ['rest-index.json', 'indices/BRTI'],
    ['rest-summary.json', 'summary?id=BRTI'],
    ['rest-summaries.json', 'summaries?id=BRTI'],
    ['rest-unknown-id.json', 'values?id=NOSUCH'],
    ['rest-stats-rti.json', 'stats?id=BRTI&streamtype=rti'],
    ['rest-stats-weight.json', 'stats?id=UC5_RTI_TR&streamtype=weight'],
    ['rest-stats-volume.json', 'stats?id=BRR&streamtype=volume'],
    ['rest-stats-constituentresult.json', 'stats?id=NCI&streamtype=constituentresult'],
  ]
  test.each(requests)('%s', async (file, path) => {
    const { simulator } = await openSimulator()
    const { body } = await get(simulator, `/api/v1/${path}`)
    expect(shapeOf(body)).toEqual(shapeOf(parsed(goldenText(file))))
  })

  test('a planted difference is found, such as a number for a decimal', () => {
    const sample = parsed(goldenText('constituents-exchange-family.json'))
    expect(shapeOf({ ...sample, value: 2835.55 })).not.toEqual(shapeOf(sample))
    expect(shapeOf({ ...sample, more: 1 })).not.toEqual(shapeOf(sample))
    expect(shapeOf({ ...sample, constituents: {} })).not.toEqual(shapeOf(sample))
  })
})
