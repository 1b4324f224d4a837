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

test('no fact is left out, changed or merged', () => {
  const facts = [
    { name: 'a', text: '1.50' },
    { name: 'a', text: '' },
  ]
  expect(shownFacts(facts, style)).toEqual([
    { label: 'A', text: '1.50', field: 'a' },
    { label: 'A', text: 'none', field: 'a' },
  ])
})

test('a time is shown beside a number of milliseconds, and beside no other field', () => {
  const timeOf = (name: string, text: string) => shownFacts([{ name, text }], style)[0]?.time
  expect(timeOf('effectiveTime', '1795258860000')).toContain('Nov 2026')
  expect(shownFacts([{ name: 'effectiveTime', text: '1795258860000' }], style)[0]?.text).toBe('1795258860000')
  expect(timeOf('effectiveTime', '16:00')).toBeUndefined()
  expect(timeOf('newMultiplier', '1795258860000')).toBeUndefined()
})

test('a missing base, quote or name is stated', () => {
  const text = (label: string, facts: ReturnType<typeof referenceFacts>) =>
    facts.find((fact) => fact.label === label)?.text
  const bare = referenceFacts({ id: 'APT_SRR', maxResolution: 'DAILY' }, style)
  for (const label of ['Name', 'Base', 'Quote']) expect(text(label, bare)).toBe('none')
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
  expect(whole.map((fact) => fact.text)).toEqual(['BRTI', 'Bitcoin', 'BTC', 'USD', '2', 'every 200 ms', 'F'])
})

test('reference data are in words and state the frequency once', () => {
  const facts = [
    { name: 'underlyingAssetsType', text: 'SINGLE_ASSET' },
    { name: 'publicationFrequency', text: 'PER_SECOND' },
    { name: 'family', text: 'CME_CF2' },
    { name: 'ticker', text: 'BRR' },
  ]
  const shown = referenceFacts({ id: 'BRTI', maxResolution: 'PER_200MS', facts }, style)
  expect(shown.slice(5).map(({ text }) => text)).toEqual(['every 200 ms', 'Single asset', 'CME_CF2', 'BRR'])
})

test('the status of a corporate action is shown only if a field has it', () => {
  const action = (name: string, text: string) => actionSentence({ publishedAtMs: 0, facts: [{ name, text }] })
  expect(action('status', 'pending')).toContain('Pending: announced, not yet in effect.')
  expect(action('State', 'EFFECTIVE')).toBe('Effective: in effect.')
  expect(action('status', 'withdrawn')).toBeUndefined()
  expect(action('note', 'pending')).toBeUndefined()
})
