import { describe, expect, test } from 'vitest'
import type { Publication, Resolution } from '../../../../core/model'
import { Formulas, type FormulaEvents } from '../../../../main/quotes/formulas'
import { RollingMeans } from '../../../../main/quotes/rolling-means'
import { QuoteStore } from '../../../../main/quotes/quote-store'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { onError } from '../../../support/on-error'

const startMs = Date.UTC(2023, 10, 1, 12)
const basis = 'BRTI \u2212 ETH'

function opened(
  id = basis,
  resolutions: Record<string, Resolution> = {},
  decimalsOf: (id: string) => number | undefined = () => undefined,
) {
  const clock = new FakeClock(startMs)
  const store = new QuoteStore({ clock, onError })
  const history = new MemoryHistory()
  const means = new RollingMeans({ history, latestMs: () => startMs, connectionOf: () => '', onError })
  store.events.on('received', (received) => means.add(received.id, [received.publication]))
  const resolutionOf = (of: string) => resolutions[of] ?? 'PER_SECOND'
  const formulas = new Formulas({ clock, store, means, resolutionOf, decimalsOf, onError })
  const computed: FormulaEvents['computed'][] = []
  formulas.events.on('computed', (each) => {
    computed.push(each)
    store.apply(each.id, each.publication, each.source)
  })
  formulas.want(new Set([id]))
  means.watch(formulas.wantedMeans)
  const publish = (of: string, atMs: number, value: string, more: Partial<Publication> = {}) =>
    store.apply(of, { value, publishedAtMs: startMs + atMs, ...more }, 'stream')
  /** Publishes values in order. `BRTI 1000 11` is the value 11 of BRTI one second after the start. */
  const play = (...values: string[]) => {
    for (const each of values) {
      const [of = '', atMs, value = ''] = each.split(' ')
      publish(of, Number(atMs), value)
    }
  }
  /** Time and value of each computed publication. */
  const series = () => computed.map(({ publication: { publishedAtMs, value } }) => [publishedAtMs - startMs, value])
  return { clock, store, formulas, means, computed, publish, play, series, id }
}

describe('two indices of the same second', () => {
  test('make one value of it, whichever comes first', () => {
    const { series, play } = opened()
    play('BRTI 0 10', 'ETH 0 4', 'BRTI 1000 100', 'ETH 1000 90', 'ETH 2000 95', 'BRTI 2000 105')
    expect(series()).toEqual([
      [0, '6.00'],
      [1_000, '10.00'],
      [2_000, '10.00'],
    ])
  })

  test('wait for each other no longer than until the next second', () => {
    const { publish, series, play } = opened()
    play('BRTI 0 10', 'ETH 0 4', 'BRTI 1000 11', 'BRTI 2000 12')
    expect(series()).toEqual([
      [0, '6.00'],
      [1_000, '7.00'],
    ])
    publish('ETH', 2_000, '5')
    expect(series().slice(2)).toEqual([[2_000, '7.00']])
  })

  test('count as they were where one has not come for a second', () => {
    const { computed, play } = opened()
    play('BRTI 0 10', 'ETH 0 4', 'BRTI 1000 11', 'BRTI 2000 12', 'ETH 3000 5')
    expect(computed.map(({ publication }) => publication)).toEqual([
      { value: '6.00', publishedAtMs: startMs },
      { value: '7.00', publishedAtMs: startMs + 1_000, olderPartMs: startMs },
      { value: '8.00', publishedAtMs: startMs + 2_000, olderPartMs: startMs },
    ])
  })
})

test('with a daily part it follows the faster one, with the age of the older', () => {
  const { clock, store, series, id, play } = opened(basis, { ETH: 'DAILY' })
  play('ETH -3600000 4', 'BRTI 0 10', 'BRTI 1000 11')
  expect(series()).toEqual([
    [0, '6.00'],
    [1_000, '7.00'],
  ])
  expect(store.get(id)).toMatchObject({ publishedAtMs: startMs + 1_000, olderPartMs: startMs - 3_600_000 })
  clock.advance(2_000)
  expect(store.ageMs(id)).toBe(3_602_000)
})

test('fixings of two days are not mixed', () => {
  const day = 86_400_000
  const { publish, series, play } = opened(basis, { BRTI: 'BUSINESS_DAYS', ETH: 'BUSINESS_DAYS' })
  publish('BRTI', -day, '10')
  publish('ETH', -day, '4')
  play('BRTI 0 100', 'ETH 0 90')
  expect(series()).toEqual([
    [-day, '6.00'],
    [0, '10.00'],
  ])
})

test('an amended part amends the value', () => {
  const { publish, computed, store, id, play } = opened()
  play('BRTI 0 10', 'ETH 0 4')
  publish('ETH', 0, '5', { amendedAtMs: startMs + 700 })
  expect(computed[1]?.publication).toEqual({ value: '5.00', publishedAtMs: startMs, amendedAtMs: startMs + 700 })
  expect(store.get(id)?.value).toBe('5.00')
})

test('an amendment without effect on the result is ignored', () => {
  const { publish, computed, play } = opened()
  play('BRTI 0 10', 'ETH 0 4.000')
  publish('ETH', 0, '4.001', { amendedAtMs: startMs + 700 })
  expect(computed.at(-1)?.publication).toEqual({ value: '6.00', publishedAtMs: startMs })
})

test('is carried forward where a part is, and as sure as the less sure part', () => {
  const { store, publish, computed } = opened()
  publish('BRTI', 0, '10', { isRepeatOfPrevious: true })
  store.apply('ETH', { value: '4', publishedAtMs: startMs }, 'rest')
  expect(computed).toMatchObject([{ source: 'rest', publication: { isRepeatOfPrevious: true } }])
})

test('parts from the disk compute nothing', () => {
  const { store, publish, computed } = opened()
  store.seed([{ id: 'ETH', value: '4', publishedAtMs: startMs, source: 'cache' }])
  publish('BRTI', 0, '10')
  expect(computed).toEqual([])
  publish('ETH', 0, '4')
  expect(computed).toHaveLength(1)
})

describe('no value', () => {
  test('while a part has been stale for longer than the limit, and one again with the next pair', () => {
    const { clock, store, formulas, publish, id, play } = opened(`${basis} \u00b7 stale 5 s`)
    play('BRTI 0 10', 'ETH 0 4')
    clock.advance(14_000)
    publish('BRTI', 14_000, '11')
    expect(store.get(id)?.value).toBe('6.00')
    expect(formulas.noValue(id)).toBeUndefined()
    clock.advance(2_000)
    expect(store.get(id)).toBeUndefined()
    expect(formulas.noValue(id)).toBe('ETH has been stale for more than 5 s.')
    publish('BRTI', 16_000, '12')
    expect(store.get(id)).toBeUndefined()
    publish('ETH', 16_000, '5')
    expect(store.get(id)?.value).toBe('7.00')
    expect(formulas.noValue(id)).toBeUndefined()
  })

  test('of a restored one either', () => {
    const { clock, store, formulas, id } = opened()
    store.seed([
      { id: 'BRTI', value: '10', publishedAtMs: startMs - 60_000, source: 'cache' },
      { id: 'ETH', value: '4', publishedAtMs: startMs - 60_000, source: 'cache' },
      { id, value: '6.00', publishedAtMs: startMs - 60_000, source: 'cache' },
    ])
    clock.advance(5_000)
    expect(store.get(id)?.value).toBe('6.00')
    clock.advance(6_000)
    expect(store.get(id)).toBeUndefined()
    expect(formulas.noValue(id)).toContain('stale for more than 60 s')
  })

  test('by zero', () => {
    const { formulas, store, id, play } = opened('BRTI \u00f7 ETH')
    play('BRTI 0 10', 'ETH 0 4')
    expect(store.get(id)?.value).toBe('2.500000')
    play('BRTI 1000 10', 'ETH 1000 0.00')
    expect(store.get(id)).toBeUndefined()
    expect(formulas.noValue(id)).toBe('ETH is zero, so there is no result.')
    play('BRTI 2000 10', 'ETH 2000 2')
    expect(store.get(id)?.value).toBe('5.000000')
    expect(formulas.noValue(id)).toBeUndefined()
  })

  test('before both parts have one, and it says which is missing', () => {
    const { clock, formulas, publish, id } = opened()
    publish('BRTI', 0, '10')
    clock.advance(1_000)
    expect(formulas.noValue(id)).toBe('ETH has no value yet.')
  })
})

test('a formula that is no longer wanted is not computed', () => {
  const { formulas, publish, computed } = opened()
  publish('BRTI', 0, '10')
  formulas.want(new Set())
  publish('ETH', 0, '4')
  expect(computed).toEqual([])
  expect(formulas.of('ETH')).toEqual([])
})

test('another value for the same time after a pause without value is an amendment', () => {
  const { play, publish, computed } = opened('BRTI \u00f7 ETH')
  play('BRTI 0 10', 'ETH 0 4')
  publish('ETH', 0, '0', { amendedAtMs: startMs + 500 })
  publish('ETH', 0, '5', { amendedAtMs: startMs + 700 })
  expect(computed.map(({ publication }) => publication)).toEqual([
    { value: '2.500000', publishedAtMs: startMs },
    { value: '2.000000', publishedAtMs: startMs, amendedAtMs: startMs + 700 },
  ])
})

describe('a mean', () => {
  /** Value, number of missing values and time of the amendment of each publication. */
  function rows({ computed }: ReturnType<typeof opened>) {
    return computed.map(({ publication: { value, missing = 0, amendedAtMs } }) => [
      value,
      missing,
      ...(amendedAtMs === undefined ? [] : [amendedAtMs - startMs]),
    ])
  }
  /** Publishes one value of BRTI each second from the start on. Undefined is a gap. */
  function playSeconds({ publish, clock }: ReturnType<typeof opened>, ...values: (string | undefined)[]) {
    for (const [second, value] of values.entries()) {
      if (second > 0) clock.advance(1_000)
      if (value !== undefined) publish('BRTI', second * 1_000, value)
    }
  }

  test('is that of the seconds up to the newest one, and no more', () => {
    const played = opened('mean(BRTI, 5)')
    playSeconds(played, '100.10', '100.20', '100.30', '100.40', '100.55', '101.00')
    expect(rows(played).slice(3)).toEqual([
      ['100.25', 1],
      ['100.31', 0],
      ['100.49', 0],
    ])
  })

  test('is rounded half up from the exact decimals', () => {
    const two = opened('mean(BRTI, 2)')
    playSeconds(two, '1.00', '1.01')
    expect(rows(two).at(-1)).toEqual(['1.01', 0])
    const four = opened('mean(BRTI, 4)')
    playSeconds(four, '83950.62', '83950.62', '83950.63', '83950.63')
    expect(rows(four).at(-1)).toEqual(['83950.63', 0])
  })

  test('leaves a gap out, and is published again as an amendment when the late value fills it', () => {
    const played = opened('mean(BRTI, 5)')
    playSeconds(played, '250.0', '250.2', undefined, '250.4', '251.0')
    expect(rows(played).at(-1)).toEqual(['250.4', 1])
    played.publish('BRTI', 2_000, '250.3')
    expect(rows(played).at(-1)).toEqual(['250.4', 0, 4_000])
  })

  test('is amended with a value of its window', () => {
    const played = opened('mean(BRTI, 3)')
    playSeconds(played, '0.1010484', '0.1010490', '0.1010500')
    played.publish('BRTI', 1_000, '0.1010590', { amendedAtMs: startMs + 2_700 })
    expect(rows(played).slice(2)).toEqual([
      ['0.1010491', 0],
      ['0.1010525', 0, 2_700],
    ])
  })

  test('counts a value carried forward, aloud', () => {
    const { publish, computed } = opened('mean(BRTI, 3)')
    publish('BRTI', 0, '10.00')
    publish('BRTI', 1_000, '10.00', { isRepeatOfPrevious: true })
    publish('BRTI', 2_000, '10.30')
    expect(computed[1]?.publication).toMatchObject({ value: '10.00', isRepeatOfPrevious: true })
    expect(computed[2]?.publication).toEqual({ value: '10.10', publishedAtMs: startMs + 2_000, carried: 1 })
  })

  test('leaves out zeros, and values between the seconds', () => {
    const played = opened('mean(BRTI, 2)')
    playSeconds(played, '84000.00')
    played.publish('BRTI', 200, '99999.00')
    playSeconds(played, undefined, '84001.00', '0')
    expect(rows(played)).toEqual([
      ['84000.00', 1],
      ['84000.50', 0],
      ['84001.00', 1],
    ])
  })

  test('has the decimals of its index, or those of most values', () => {
    const known = opened('mean(BRTI, 2)', {}, () => 4)
    playSeconds(known, '1.00', '1.01')
    expect(rows(known).at(-1)).toEqual(['1.0050', 0])
    const seen = opened('mean(BRTI, 3)')
    playSeconds(seen, '1.001', '1.002', '1')
    expect(rows(seen).at(-1)).toEqual(['1.001', 0])
  })

  test('has no value while its index is stale, and then fills again', () => {
    const played = opened('mean(BRTI, 3)')
    const { clock, store, formulas, publish, computed, id } = played
    playSeconds(played, '1.00', '1.02', '1.04')
    expect(computed.map(({ publication }) => publication.isFilling)).toEqual([true, true, undefined])
    clock.advance(11_000)
    expect(store.get(id)).toBeUndefined()
    expect(formulas.noValue(id)).toBe('BRTI is stale.')
    publish('BRTI', 13_000, '1.06')
    expect(formulas.noValue(id)).toBeUndefined()
    expect(store.get(id)).toMatchObject({ value: '1.06', missing: 2, isFilling: true })
  })

  test('does not compute a value that came after its index was stale', () => {
    const { clock, publish, computed } = opened('mean(BRTI, 3)')
    clock.advance(20_000)
    publish('BRTI', 1_000, '1.00')
    expect(computed).toEqual([])
  })

  test('counts with gaps once its window has passed', () => {
    const played = opened('mean(BRTI, 3)')
    playSeconds(played, '1.00', undefined, '1.04')
    expect(played.computed.at(-1)?.publication).toEqual({ value: '1.02', missing: 1, publishedAtMs: startMs + 2_000 })
  })

  test('of a daily rate has none, and says why', () => {
    const { clock, formulas, publish, computed, id } = opened('mean(BRR, 60)', { BRR: 'DAILY' })
    publish('BRR', 0, '1.00')
    clock.advance(1_000)
    expect(computed).toEqual([])
    expect(formulas.noValue(id)).toContain('BRR publishes less often than each second')
  })

  test('of zeros only has none', () => {
    const { formulas, publish, id } = opened('mean(BRTI, 60)')
    publish('BRTI', 0, '0')
    expect(formulas.noValue(id)).toBe('No value of BRTI in the last 60 whole seconds counts.')
  })
})
