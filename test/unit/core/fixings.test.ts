import { describe, expect, test } from 'vitest'
import {
  clockOf,
  fixingsOf,
  fixingTime,
  lastFixingMs,
  nextFixingMs,
  observationMs,
  placeOf,
  realTimeOf,
  type FixingTime,
} from '../../../core/fixings'

const everything = () => true
const london: FixingTime = { clock: '16:00', zone: 'Europe/London' }
const facts = (fields: Record<string, string>) => Object.entries(fields).map(([name, text]) => ({ name, text }))

describe('related indices', () => {
  test.each([
    ['BRTI', 'BRR BRRNY BRRAP'],
    ['ETHUSD_RTI', 'ETHUSD_RR ETHUSD_NY ETHUSD_AP'],
    ['UC5_RTI_TR', 'UC5_RR_TR UC5_NY_TR UC5_AP_TR'],
    ['NCI', 'NCIS'],
    ['NQBTC', 'NQBTCS'],
    ['BVX', 'BVXS'],
    ['BRR', ''],
    ['ETH_SRR', ''],
  ])('the daily rates of %s are %s', (id, rates) => expect(fixingsOf(id, everything).join(' ')).toBe(rates))

  test.each([
    ['BRRNY', 'BRTI'],
    ['ETHUSD_RR', 'ETHUSD_RTI'],
    ['1INCHUSD_AP', '1INCHUSD_RTI'],
    ['UC5_RR_TR', 'UC5_RTI_TR'],
    ['NCIUSS', 'NCIUS'],
    ['NQBTCS', 'NQBTC'],
    ['APT_SRR', undefined],
    ['BRTI', undefined],
    ['NCI', undefined],
  ])('%s belongs to %s', (id, realTime) => expect(realTimeOf(id, everything)).toBe(realTime))

  test('an index that the service does not list is not offered', () => {
    expect(fixingsOf('BRTI', (id) => id === 'BRRNY')).toEqual(['BRRNY'])
    expect(realTimeOf('BRR', () => false)).toBeUndefined()
    expect(realTimeOf('NCIUS', (id) => id === 'NCI')).toBeUndefined()
  })
})

describe('the time of a fixing', () => {
  test.each([
    ['BRR', '16:00 London'],
    ['BRRNY', '16:00 New York'],
    ['ETHUSD_AP', '16:00 Hong Kong'],
    ['UC5_RR_TR', '16:00 London'],
    ['APT_SRR', undefined],
    ['NCIS', undefined],
    ['BRTI', undefined],
  ])('for the id %s is %s', (id, words) => {
    const time = fixingTime(id)
    expect(time && `${time.clock} ${placeOf(time)}`).toBe(words)
  })

  test('is taken from the reference data if they are complete', () => {
    const said = { publicationTime: '15:30', publicationTimeZone: 'America/New_York' }
    expect(fixingTime('BRR', facts(said))).toEqual({ clock: '15:30', zone: 'America/New_York' })
    expect(fixingTime('NCIS', facts(said))).toEqual({ clock: '15:30', zone: 'America/New_York' })
    for (const wrong of [
      { publicationTime: '16:00' },
      { ...said, publicationTime: '4 pm' },
      { ...said, publicationTimeZone: 'Mars' },
    ]) {
      expect(fixingTime('BRR', facts(wrong))).toEqual(london)
    }
  })

  test.each([
    ['{"windowDuration":"PT1H","partitionCount":12}', 3_600_000],
    ['{"windowDuration":"PT1H30M"}', 5_400_000],
    ['{"windowDuration":"PT0S"}', undefined],
    ['{"windowDuration":"an hour"}', undefined],
    ['{}', undefined],
  ])('with the parameters %s has an observation window of %s', (text, ms) => {
    expect(observationMs(facts({ referenceRateParameters: text }))).toBe(ms)
    expect(observationMs([])).toBeUndefined()
  })
})

describe('the fixings around a time', () => {
  const around = (at: string, { time = london, onBusinessDays = false } = {}) =>
    [lastFixingMs, nextFixingMs].map((find) => new Date(find(time, Date.parse(at), onBusinessDays)).toISOString())

  test('are at the local time of the fixing; one due now is the last', () => {
    expect(around('2026-11-23T15:59:59.999Z')).toEqual(['2026-11-22T16:00:00.000Z', '2026-11-23T16:00:00.000Z'])
    expect(around('2026-11-23T16:00:00Z')).toEqual(['2026-11-23T16:00:00.000Z', '2026-11-24T16:00:00.000Z'])
    expect(around('2026-07-01T12:00:00Z')).toEqual(['2026-06-30T15:00:00.000Z', '2026-07-01T15:00:00.000Z'])
  })

  test('are 23 hours apart where the clocks go forward, and 25 where they go back', () => {
    // London on 29 March and 25 October 2026.
    expect(around('2026-03-29T00:30:00Z')).toEqual(['2026-03-28T16:00:00.000Z', '2026-03-29T15:00:00.000Z'])
    expect(around('2026-10-25T01:30:00Z')).toEqual(['2026-10-24T15:00:00.000Z', '2026-10-25T16:00:00.000Z'])
    // New York on 8 March and 1 November 2026.
    const time = { clock: '16:00', zone: 'America/New_York' }
    expect(around('2026-03-08T12:00:00Z', { time })).toEqual(['2026-03-07T21:00:00.000Z', '2026-03-08T20:00:00.000Z'])
    expect(around('2026-11-01T12:00:00Z', { time })).toEqual(['2026-10-31T20:00:00.000Z', '2026-11-01T21:00:00.000Z'])
  })

  test('go by the local date, which in Hong Kong is already the next day', () => {
    const time = { clock: '16:00', zone: 'Asia/Hong_Kong' }
    expect(around('2026-11-23T20:00:00Z', { time })).toEqual(['2026-11-23T08:00:00.000Z', '2026-11-24T08:00:00.000Z'])
  })

  test('skip the weekend if the index publishes on business days', () => {
    const friday = '2026-11-20T16:00:00.000Z'
    const monday = '2026-11-23T16:00:00.000Z'
    expect(around('2026-11-20T17:00:00Z', { onBusinessDays: true })).toEqual([friday, monday])
    expect(around('2026-11-23T15:00:00Z', { onBusinessDays: true })).toEqual([friday, monday])
    expect(around('2026-11-20T17:00:00Z')).toEqual([friday, '2026-11-21T16:00:00.000Z'])
  })

  test('have the same local time before and after a clock change', () => {
    expect(clockOf(london, Date.parse('2026-03-29T15:15:00Z'))).toBe('16:15')
    expect(clockOf(london, Date.parse('2026-03-28T16:15:00Z'))).toBe('16:15')
  })
})
