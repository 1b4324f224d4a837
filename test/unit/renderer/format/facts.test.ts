import { expect, test } from 'vitest'
import { actionSentence, labelOf, referenceFacts, shownFacts } from '../../../../renderer/format/facts'

const style = { grouping: 'comma', timeZone: 'system' } as const

test("a field's name is put in words, and what is none stays as it came", () => {
  expect(labelOf('newMultiplier')).toBe('New multiplier')
  expect(labelOf('publicationTimeZone')).toBe('Publication time zone')
  expect(labelOf('demise_date_time')).toBe('Demise date time')
  expect(labelOf('currentNAV')).toBe('Current NAV')
  expect(labelOf('isin')).toBe('Isin')
  expect(labelOf('X-Unknown field')).toBe('X-Unknown field')
  expect(labelOf('')).toBe('')
})

test('no fact is left out or merged', () => {
  const facts = [
    { name: 'a', text: '1.50' },
    { name: 'a', text: '' },
  ]
  expect(shownFacts(facts, style)).toEqual([
    { label: 'A', text: '1.50', field: 'a' },
    { label: 'A', text: 'none', field: 'a' },
  ])
})

test.each([
  ['effectiveTime', '1795444200000', '23 Nov 2026 14:30'],
  ['launchDateTime', '2023-01-02T00:00:00.000Z', '2 Jan 2023 00:00'],
  ['launchDateTime', '2023-01-02T00:00:00+01:00', '1 Jan 2023 23:00'],
  ['inceptionDateTime', '2023-01-02T00:00:01.250Z', '2 Jan 2023, 00:00:01.250, UTC'],
  ['effectiveTime', '16:00', '16:00'],
  ['newMultiplier', '1795258860000', '1795258860000'],
])('the %s %s is shown as %s', (name, text, shown) => {
  expect(shownFacts([{ name, text }], { ...style, timeZone: 'UTC' })).toMatchObject([{ text: shown }])
})

test.each([
  ['{"windowDuration":"PT1H","partitionCount":12}', '60 min window, 12 partitions'],
  ['{"windowDuration":"PT90S","partitionCount":1}', '90 s window, 1 partition'],
  ['{"baseAsset":"BTC","tiers":[1,{"feeRate":null}]}', 'base asset BTC, tiers 1, fee rate none'],
  ['["Coinbase",2]', 'Coinbase, 2'],
  ['[]', 'none'],
  ['{"windowDuration":"PT1', '{"windowDuration":"PT1'],
])('the JSON %s is shown as %s', (text, shown) => {
  expect(shownFacts([{ name: 'x', text }], style)).toMatchObject([{ text: shown }])
})

test('a text shown in words keeps the text as received in its tooltip', () => {
  const titleOf = (text: string) => shownFacts([{ name: 'x', text }], style)[0]?.title
  expect(titleOf('["A","B"]')).toBe('["A","B"]')
  expect(titleOf('2023-01-02T00:00:00Z')).toContain('\n2023-01-02T00:00:00Z')
  expect(titleOf('A')).toBeUndefined()
})

test('a missing base or quote is stated, and what the head shows is not repeated', () => {
  const text = (label: string, facts: ReturnType<typeof referenceFacts>) =>
    facts.find((fact) => fact.label === label)?.text
  const bare = referenceFacts({ id: 'APT_SRR', maxResolution: 'DAILY' }, style)
  for (const label of ['Base', 'Quote']) expect(text(label, bare)).toBe('none')
  const whole = referenceFacts(
    {
      id: 'BRTI',
      name: 'Bitcoin',
      maxResolution: 'PER_200MS',
      decimals: 2,
      base: 'BTC',
      quote: 'USD',
      facts: [{ name: 'family', text: 'F' }],
    },
    style,
  )
  expect(whole.map((fact) => fact.text)).toEqual(['BTC', 'USD', 'every 200 ms', 'F'])
})

test('reference data are in words and state the frequency once', () => {
  const facts = [
    { name: 'underlyingAssetsType', text: 'SINGLE_ASSET' },
    { name: 'assets', text: 'PORTFOLIO' },
    { name: 'publicationFrequency', text: 'PER_SECOND' },
    { name: 'family', text: 'CME_CF2' },
    { name: 'ticker', text: 'BRR' },
  ]
  const shown = referenceFacts({ id: 'BRTI', maxResolution: 'PER_200MS', facts }, style)
  expect(shown.slice(2).map(({ text }) => text)).toEqual([
    'every 200 ms',
    'Single asset',
    'Portfolio',
    'CME_CF2',
    'BRR',
  ])
})

test('the status of a corporate action is shown only if a field has it', () => {
  const action = (name: string, text: string) => actionSentence({ publishedAtMs: 0, facts: [{ name, text }] })
  expect(action('status', 'pending')).toContain('Announced, not yet in effect.')
  expect(action('State', 'EFFECTIVE')).toBe('In effect.')
  expect(action('status', 'withdrawn')).toBeUndefined()
  expect(action('note', 'pending')).toBeUndefined()
})
