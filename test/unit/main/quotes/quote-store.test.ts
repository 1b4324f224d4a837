import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Publication, Quote } from '../../../../core/model'
import { QuoteStore } from '../../../../main/quotes/quote-store'
import type { QuoteEvents } from '../../../../main/quotes/quote-store'
import { FakeClock } from '../../../support/fake-clock'
import { onError } from '../../../support/on-error'
import { examples } from '../../../support/examples'

const startMs = Date.UTC(2023, 10, 1, 12)

function opened() {
  const clock = new FakeClock(startMs)
  const store = new QuoteStore({
    clock,
    onError,
  })
  const changed: QuoteEvents['changed'][] = []
  const past: QuoteEvents['past'][] = []
  const refused: QuoteEvents['refused'][] = []
  store.events.on('changed', (event) => changed.push(event))
  store.events.on('past', (event) => past.push(event))
  store.events.on('refused', (event) => refused.push(event))
  return { clock, store, changed, past, refused }
}

const at = (offsetMs: number, value: string, more: Partial<Publication> = {}): Publication => ({
  value,
  publishedAtMs: startMs + offsetMs,
  ...more,
})
const cached = (offsetMs: number, value: string, more: Partial<Publication> = {}): Quote => ({
  ...at(offsetMs, value, more),
  id: 'BRTI',
  source: 'cache',
})

describe('the latest value', () => {
  test('is the one with the greatest time, whatever comes later', () => {
    const { store, changed } = opened()
    store.apply('BRTI', at(0, '1.00'), 'stream')
    store.apply('BRTI', at(1_000, '2.00'), 'stream')
    store.apply('BRTI', at(500, '3.00'), 'rest')
    expect(store.get('BRTI')).toEqual({ ...at(1_000, '2.00'), id: 'BRTI', source: 'stream' })
    expect(changed.map(({ previous, next }) => [previous?.value, next.value])).toEqual([
      [undefined, '1.00'],
      ['1.00', '2.00'],
    ])
  })

  test('is reported once, however often it comes', () => {
    const { store, changed } = opened()
    for (let count = 0; count < 10; count++) store.apply('BRTI', at(0, '1.00'), count % 2 === 0 ? 'stream' : 'rest')
    expect(changed).toHaveLength(1)
  })

  test('gives way to an amendment of the same time, and the latest amendment stays', () => {
    const { store, changed, past } = opened()
    store.apply('BRTI', at(0, '1.00'), 'stream')
    store.apply('BRTI', at(0, '1.02', { amendedAtMs: startMs + 2 }), 'stream')
    store.apply('BRTI', at(0, '1.01', { amendedAtMs: startMs + 1 }), 'stream')
    store.apply('BRTI', at(0, '1.00'), 'rest')
    expect(store.get('BRTI')).toMatchObject({ value: '1.02', amendedAtMs: startMs + 2 })
    expect(changed).toHaveLength(2)
    expect(past).toEqual([])
  })

  test('is not replaced by an amendment of an older one, which is reported as an amendment', () => {
    const { store, changed, past } = opened()
    store.apply('BRTI', at(0, '1.00'), 'stream')
    store.apply('BRTI', at(1_000, '2.00'), 'stream')
    const amendment = at(0, '1.50', { amendedAtMs: startMs + 1_500 })
    store.apply('BRTI', amendment, 'stream')
    expect(store.get('BRTI')?.value).toBe('2.00')
    expect(changed).toHaveLength(2)
    expect(past).toMatchObject([{ id: 'BRTI', publication: amendment }])
  })

  test('of one index is nothing to another, even one with an odd name', () => {
    const { store } = opened()
    store.apply('__proto__', at(0, '1.00'), 'stream')
    store.apply('BRTI', at(0, '2.00'), 'stream')
    expect(store.get('__proto__')?.value).toBe('1.00')
    expect(store.get('toString')).toBeUndefined()
    expect(store.all().map((quote) => quote.value)).toEqual(['1.00', '2.00'])
    store.forget('BRTI')
    expect(store.get('BRTI')).toBeUndefined()
    expect(store.ageMs('BRTI')).toBeUndefined()
  })
})

const publication = fc
  .record({
    value: fc.constantFrom('1', '1.0', '2', '3'),
    offsetMs: fc.integer({ min: 0, max: 4 }),
    amendOffsetMs: fc.option(fc.integer({ min: 0, max: 3 })),
    isRepeat: fc.boolean(),
  })
  .map(({ value, offsetMs, amendOffsetMs, isRepeat }) =>
    at(offsetMs, value, {
      ...(amendOffsetMs !== null && { amendedAtMs: startMs + amendOffsetMs }),
      ...(isRepeat && { isRepeatOfPrevious: true }),
    }),
  )

/** The same publications in two orders, each with other repetitions. */
const twoOrders = fc.array(publication, { minLength: 1, maxLength: 12 }).chain((all) =>
  fc.tuple(
    fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
    fc.subarray(all).chain((some) => {
      const more = [...all, ...some]
      return fc.shuffledSubarray(more, { minLength: more.length })
    }),
  ),
)

function endOf(publications: readonly Publication[], apply: (store: QuoteStore, each: Publication) => void) {
  const { store } = opened()
  for (const each of publications) apply(store, each)
  return store.get('BRTI')
}

describe('any order of arrival', () => {
  test('with repeats and amendments ends with the same value', () =>
    fc.assert(
      fc.property(twoOrders, ([one, other]) => {
        const apply = (store: QuoteStore, each: Publication) => store.apply('BRTI', each, 'stream')
        expect(endOf(one, apply)).toEqual(endOf(other, apply))
      }),
      { numRuns: examples(3_000) },
    ))

  test('would not, if the last to arrive won: the property can fail', () => {
    const lastWins = (store: QuoteStore, each: Publication) => {
      store.forget('BRTI')
      store.apply('BRTI', each, 'stream')
    }
    const result = fc.check(
      fc.property(twoOrders, ([one, other]) => {
        expect(endOf(one, lastWins)).toEqual(endOf(other, lastWins))
      }),
    )
    expect(result.failed).toBe(true)
  })

  test('reports no value that is older than the one before', () =>
    fc.assert(
      fc.property(fc.array(publication, { maxLength: 20 }), (publications) => {
        const { store, changed } = opened()
        for (const each of publications) store.apply('BRTI', each, 'stream')
        const times = changed.map(({ next }) => next.publishedAtMs)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
    ))
})

describe('a value of another connection', () => {
  const a = { id: 'id of A', name: 'A' }
  const b = { id: 'id of B', name: 'B' }

  /** A value of `a`, which no longer serves the index, then an earlier and a later one of `next`. */
  const changedTo = (next: typeof a) => {
    const seen = opened()
    seen.store.apply('BRTI', at(0, '5000.00'), 'stream', a)
    seen.store.demote(['BRTI'])
    seen.store.apply('BRTI', at(-1_000, '2.00'), 'stream', next)
    seen.store.apply('BRTI', at(1_000, '2.01'), 'stream', next)
    return seen
  }

  test('takes the place of the latest, however old it is, and is not compared with it', () => {
    const { store, changed } = changedTo(b)
    expect(changed.slice(1)).toMatchObject([
      { previous: undefined, next: { value: '2.00' }, isBehind: true },
      { previous: { value: '2.00' }, next: { value: '2.01' }, isBehind: false },
    ])
    expect(store.get('BRTI')?.jump).toBeUndefined()
  })

  test('twin: from one connection an older value is past, and a jump is shown', () => {
    const { store, past } = changedTo(a)
    expect(past).toHaveLength(1)
    expect(store.get('BRTI')?.jump).toMatchObject({ from: '5000.00' })
  })

  test('treats a stored value without connection id as one of the same connection', () => {
    const { store, changed } = opened()
    store.seed([cached(0, '1.00')], () => ({ id: '', name: 'A' }))
    store.apply('BRTI', at(1_000, '2.00'), 'stream', a)
    expect(changed).toMatchObject([{ previous: { value: '1.00' } }])
  })
})

describe('a value from the cache', () => {
  test('is there without being reported, and gives way to a received one', () => {
    const { store, changed } = opened()
    store.seed([cached(-60_000, '1.00')])
    expect(store.get('BRTI')).toEqual(cached(-60_000, '1.00'))
    expect(changed).toEqual([])
    store.apply('BRTI', at(0, '2.00'), 'rest')
    expect(changed).toMatchObject([
      { previous: cached(-60_000, '1.00'), next: { ...at(0, '2.00'), id: 'BRTI', source: 'rest' } },
    ])
  })

  test('becomes received when the service confirms it', () => {
    const { store, changed } = opened()
    store.seed([cached(0, '1.00')])
    store.apply('BRTI', at(0, '1.00'), 'rest')
    expect(changed).toMatchObject([
      { previous: cached(0, '1.00'), next: { ...at(0, '1.00'), id: 'BRTI', source: 'rest' } },
    ])
    store.apply('BRTI', at(0, '1.00'), 'stream')
    expect(changed).toHaveLength(1)
  })

  test('is replaced by a received value of the same time', () => {
    const { store } = opened()
    store.seed([cached(0, '9.00')])
    store.apply('BRTI', at(0, '1.00'), 'rest')
    expect(store.get('BRTI')).toMatchObject({ value: '1.00', source: 'rest' })
  })

  test('stays, marked as cached, while the service only has older ones', () => {
    const { store, changed } = opened()
    store.seed([cached(0, '2.00')])
    store.apply('BRTI', at(-1_000, '1.00'), 'rest')
    expect(store.get('BRTI')).toEqual(cached(0, '2.00'))
    expect(changed).toEqual([])
  })

  test('replaces nothing', () => {
    const { store } = opened()
    store.apply('BRTI', at(0, '1.00'), 'stream')
    store.seed([cached(1_000, '2.00')])
    expect(store.get('BRTI')?.value).toBe('1.00')
  })

  test('is marked as cached whatever the file said', () => {
    const { store } = opened()
    store.seed([{ ...cached(0, '1.00'), source: 'stream' }])
    expect(store.get('BRTI')?.source).toBe('cache')
  })
})

describe('a time far ahead', () => {
  test('is refused and hides no later value; five minutes are let pass', () => {
    const { store, refused } = opened()
    const poison = at(300_001, '9.00')
    store.apply('BRTI', poison, 'stream')
    expect(store.get('BRTI')).toBeUndefined()
    expect(refused).toEqual([{ id: 'BRTI', publication: poison }])
    store.apply('BRTI', at(0, '1.00'), 'stream')
    expect(store.get('BRTI')?.value).toBe('1.00')
    store.apply('BRTI', at(300_000, '2.00'), 'stream')
    expect(store.get('BRTI')?.value).toBe('2.00')
    expect(refused).toHaveLength(1)
  })

  test('is refused in the cache too', () => {
    const { store } = opened()
    store.seed([cached(300_001, '9.00')])
    expect(store.all()).toEqual([])
  })
})

describe('age', () => {
  test('counts from the published time and increases on its own', () => {
    const { store, clock } = opened()
    store.apply('BRTI', at(-400, '1.00'), 'stream')
    expect(store.ageMs('BRTI')).toBe(400)
    clock.advance(5_000)
    expect(store.ageMs('BRTI')).toBe(5_400)
    store.apply('BRTI', at(5_000, '2.00'), 'stream')
    expect(store.ageMs('BRTI')).toBe(0)
  })

  test.each([7_200_000, -3_600_000])('is not moved by setting the clock by %i ms', (jumpMs) => {
    const { store, clock } = opened()
    store.apply('BRTI', at(-400, '1.00'), 'stream')
    clock.jumpWall(jumpMs)
    clock.advance(600)
    expect(store.ageMs('BRTI')).toBe(1_000)
  })

  test('of a value slightly ahead of our clock is nothing, not less', () => {
    const { store } = opened()
    store.apply('BRTI', at(2_000, '1.00'), 'stream')
    expect(store.ageMs('BRTI')).toBe(0)
  })

  test('of a cached value counts from its publish time', () => {
    const { store } = opened()
    store.seed([cached(-86_400_000, '1.00')])
    expect(store.ageMs('BRTI')).toBe(86_400_000)
  })
})

test('each received value that adds to the series is reported once', () => {
  const { store } = opened()
  const received: QuoteEvents['received'][] = []
  store.events.on('received', (event) => received.push(event))
  const publications = [
    at(0, '1.00'),
    at(2_000, '3.00'),
    at(1_000, '2.00'),
    at(0, '1.01', { amendedAtMs: startMs + 3_000 }),
    at(2_000, '3.01', { amendedAtMs: startMs + 3_000 }),
  ]
  for (const publication of publications) store.apply('BRTI', publication, 'stream')
  expect(received.map(({ publication }) => publication)).toEqual(publications)
  for (const again of [publications[1], publications[4]]) if (again !== undefined) store.apply('BRTI', again, 'rest')
  store.apply('BRTI', at(3_600_000, 'far'), 'stream')
  expect(received).toHaveLength(5)
})

describe('a jump', () => {
  const jumpAfter = (...values: Publication[]) => {
    const { store } = opened()
    for (const each of values) store.apply('BRTI', each, 'stream')
    return store.get('BRTI')?.jump
  }

  test('is a value a hundred times the one before it, or a hundredth of it', () => {
    expect(jumpAfter(at(0, '67990.40'), at(1_000, '67990400000.00'))).toEqual({
      from: '67990.40',
      publishedAtMs: startMs + 1_000,
    })
    for (const [from, to, isJump] of [
      ['1', '100', true],
      ['1', '99.99', false],
      ['100', '1.0', true],
      ['100', '1.01', false],
      ['0.00010', '0.01000', true],
      ['0.00010', '0.00999', false],
      ['-1', '-100', true],
      ['-1', '100', true],
      ['1e-5', '0.001', true],
      ['1.0e-5', '1.0e+5', true],
      ['-0.00010', '-0.01000', true],
      ['0', '5', false],
      ['5', '0', false],
    ] as const)
      expect([from, to, jumpAfter(at(0, from), at(1_000, to)) !== undefined]).toEqual([from, to, isJump])
  })

  test('is shown for ten minutes, the latest of several', () => {
    const jumped = [at(-601_000, '1'), at(-600_000, '500')]
    expect(jumpAfter(...jumped, at(-1, '501'))).toEqual({ from: '1', publishedAtMs: startMs - 600_000 })
    expect(jumpAfter(...jumped, at(0, '501'))).toBeUndefined()
    expect(jumpAfter(...jumped, at(-1, '1'))).toEqual({ from: '500', publishedAtMs: startMs - 1 })
  })

  test('disappears if amended away, and stays if amended otherwise', () => {
    const amended = (value: string) => at(1_000, value, { amendedAtMs: startMs + 5_000 })
    expect(jumpAfter(at(0, '1'), at(1_000, '500'), amended('1.01'))).toBeUndefined()
    expect(jumpAfter(at(0, '1'), at(1_000, '500'), amended('510'))?.from).toBe('1')
  })

  test('is not seen in a formula, whose value may be near zero at any time', () => {
    const { store } = opened()
    const id = 'BRTI \u2212 BRR'
    store.apply(id, at(0, '0.01'), 'stream')
    store.apply(id, at(1_000, '25.00'), 'stream')
    expect(store.get(id)?.jump).toBeUndefined()
  })
})
