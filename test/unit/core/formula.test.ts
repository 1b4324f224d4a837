import Big from 'big.js'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { computeFormula, formulaInfo, formulaWords, misfit } from '../../../core/formula'
import {
  formulaId,
  formulaParts,
  formulaProblem,
  parseFormula,
  serviceIds,
  splitIds,
  typedMean,
  pairOperations,
  type PairFormula,
} from '../../../core/formula-id'
import { idProblem, indexIdSchema, isIndexId, isServiceId } from '../../../core/shapes'
import { examples } from '../../support/examples'

const basis: PairFormula = { operation: 'difference', left: 'BRTI', right: 'BRR', decimals: 2, staleLimitSeconds: 60 }

const decimals = fc.integer({ min: 0, max: 12 })
const published = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 24n }),
    fc.integer({ min: 0, max: 20 }),
    fc.option(fc.integer({ min: -20, max: 20 })),
  )
  .map(([isNegative, units, places, exponent]) => {
    const text = units.toString().padStart(places + 1, '0')
    const plain = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
    return `${isNegative ? '-' : ''}${plain}${exponent === null ? '' : `e${exponent}`}`
  })
/** Half of these are exact halves, where rounding rules differ. */
const half = fc
  .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: 0, max: 6 }))
  .map(([units, places]) => new Big(`${units}5`).div(new Big(10).pow(places + 1)).toFixed(places + 1))

/** The same with a decimal library. Its rounding 2 is half to even. */
function byLibrary(operation: PairFormula['operation'], left: string, right: string, places: number): string {
  const [a, b] = [new Big(left), new Big(right)]
  const factor = { difference: 1, ratio: 1, basisPoints: 10_000, percent: 100 }[operation]
  const over = operation === 'ratio' ? a : a.minus(b).times(factor)
  // Enough digits that only an exact half looks like one.
  Big.DP = 300
  const exact = operation === 'difference' ? over : over.div(b)
  const text = exact.toFixed(places, 2)
  return /[1-9]/.test(text) ? text : text.replace('-', '')
}

describe('the value of a formula', () => {
  test('agrees with big.js in every digit', () => {
    let compared = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...pairOperations),
        fc.oneof(published, half),
        fc.oneof(published, fc.constant('1'), fc.constant('-2.0')),
        decimals,
        (operation, left, right, places) => {
          const isDivided = operation !== 'difference'
          if (isDivided && new Big(right).eq(0)) return
          const computed = computeFormula({ operation, decimals: places }, left, right)
          const wanted = byLibrary(operation, left, right, places)
          if (wanted.length > 128) expect(computed).toEqual({ lacks: 'tooLong' })
          else expect(computed).toEqual({ value: wanted })
          compared++
        },
      ),
      { numRuns: examples(2_000) },
    )
    expect(compared).toBeGreaterThan(examples(1_500))
  })

  test.each([
    ['difference', '2.125', '0', '2.12'],
    ['difference', '2.135', '0', '2.14'],
    ['difference', '-2.125', '0', '-2.12'],
    ['difference', '0.1', '0.3', '-0.20'],
    ['ratio', '1', '-3', '-0.333333'],
    ['ratio', '1', '128', '0.007812'],
    ['basisPoints', '100.01', '100', '1.00'],
    ['percent', '101', '100', '1.0000'],
    ['percent', '1e-30', '1e-30', '0.0000'],
  ] as const)('for a %s of %s and %s is %s', (operation, left, right, value) => {
    const places = { difference: 2, ratio: 6, basisPoints: 2, percent: 4 }[operation]
    expect(computeFormula({ operation, decimals: places }, left, right)).toEqual({ value })
  })

  test('is missing if the divisor is zero in any notation', () => {
    for (const operation of ['ratio', 'basisPoints', 'percent'] as const) {
      expect(computeFormula({ operation, decimals: 2 }, '1', '-0.00e5')).toEqual({ lacks: 'byZero' })
    }
    expect(computeFormula({ operation: 'difference', decimals: 2 }, '1', '0')).toEqual({ value: '1.00' })
  })
})

describe('the id of a formula', () => {
  test.each([
    [basis, 'BRTI \u2212 BRR'],
    [{ ...basis, operation: 'ratio', decimals: 6 }, 'BRTI \u00f7 BRR'],
    [{ ...basis, operation: 'basisPoints' }, 'BRTI \u2212 BRR in bp'],
    [{ ...basis, operation: 'percent', decimals: 0 }, 'BRTI \u2212 BRR in % \u00b7 0 decimals'],
    [{ ...basis, decimals: 4, staleLimitSeconds: 5 }, 'BRTI \u2212 BRR \u00b7 4 decimals \u00b7 stale 5 s'],
  ] as [PairFormula, string][])('states every part of it: %j', (formula, id) => {
    expect(formulaId(formula)).toBe(id)
    expect(parseFormula(id)).toEqual(formula)
    expect(isIndexId(id)).toBe(true)
    expect(isServiceId(id)).toBe(false)
  })

  test('is unique: an id that states a default or has another spelling is refused', () => {
    const others = [
      'BRTI \u2212 BRR \u00b7 2 decimals',
      'BRTI \u2212 BRR \u00b7 stale 60 s',
      'BRTI \u2212 BRR \u00b7 04 decimals',
      'BRTI \u2212 BRR \u00b7 13 decimals',
      'BRTI - BRR',
      'BRTI \u2212 BRTI',
      'BRTI \u00f7 BRR in bp',
      'BRTI \u2212 BRR \u2212 BRTI',
      '=BRTI \u2212 BRR',
    ]
    expect(others.filter(isIndexId)).toEqual([])
  })

  test('gives its two parts; the id of an index has none', () => {
    expect(formulaParts('BRTI \u2212 BRR')).toEqual(['BRTI', 'BRR'])
    expect(formulaParts('BRTI')).toEqual([])
    expect(serviceIds('BRTI')).toEqual(['BRTI'])
  })
})

test.each([
  [{ left: '' }, 'Choose two indices.'],
  [{ left: 'BRTI \u2212 BRR' }, 'is a formula itself'],
  [{ left: 'no id!' }, 'is not the id of an index'],
  [{ left: 'BRR' }, 'Choose two different indices.'],
  [{ decimals: 13 }, 'Decimals are'],
  [{ decimals: 1.5 }, 'Decimals are'],
  [{ staleLimitSeconds: -1 }, 'The limit is'],
  [{ staleLimitSeconds: 604_801 }, 'The limit is'],
] as [Partial<PairFormula>, string][])('%j is refused: %s', (change, words) =>
  expect(formulaProblem({ ...basis, ...change })).toContain(words),
)

test('the words of a formula state its computation, digits and stale limit', () => {
  expect(formulaWords(basis)).toBe(
    'BRTI \u2212 BRR, rounded to 2 decimals. No value while either index has been stale for more than 60 s.',
  )
  expect(formulaWords({ ...basis, operation: 'basisPoints', decimals: 1 })).toContain(
    '(BRTI \u2212 BRR) \u00f7 BRR \u00d7 10,000, rounded to 1 decimal.',
  )
})

test('a formula publishes as often as its faster part', () => {
  const infoOf = (id: string) => ({ BRTI: { maxResolution: 'PER_200MS' as const } })[id]
  expect(formulaInfo('BRTI \u2212 BRR', infoOf)).toBeUndefined()
  const both = (id: string) => infoOf(id) ?? { maxResolution: 'DAILY' as const }
  expect(formulaInfo('BRTI \u2212 BRR', both)).toMatchObject({ maxResolution: 'PER_200MS', decimals: 2 })
})

describe('a mean', () => {
  const index = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/)
  const seconds = fc.integer({ min: 2, max: 3_600 })

  test('is written and read again, and typed in any case and with any blanks', () => {
    fc.assert(
      fc.property(index, seconds, fc.stringMatching(/^[ \t]{0,3}$/), (part, length, blank) => {
        const formula = { operation: 'mean', index: part, seconds: length } as const
        const id = formulaId(formula)
        expect(parseFormula(id)).toEqual(formula)
        expect(isIndexId(id)).toBe(true)
        expect(v.is(indexIdSchema, id)).toBe(true)
        expect(serviceIds(id)).toEqual([part])
        expect(splitIds(`BRTI,${id}, ${id}`)).toEqual(['BRTI', id, id])
        expect(typedMean(`${blank}MEAN${blank}(${blank}${part}${blank},${blank}${length} s)`)).toEqual(formula)
      }),
    )
  })

  test.each([
    ['mean(BRTI \u2212 BRR, 60)', 'BRTI \u2212 BRR is a formula itself: choose a published index.'],
    ['mean(mean(BRTI, 60), 60)', 'mean(BRTI, 60) is a formula itself: choose a published index.'],
    ['mean(, 60)', 'Choose an index.'],
    ['mean(B RTI, 60)', 'B RTI is not the id of an index, such as BRTI.'],
    ['mean(BRTI, 1)', 'Seconds are a whole number from 2 to 3,600, as in mean(BRTI, 60).'],
    ['mean(BRTI, 3601)', 'Seconds are'],
    ['mean(BRTI, 2.5)', 'Seconds are'],
    ['mean(BRTI, -60)', 'Seconds are'],
    ['mean(BRTI)', 'Seconds are'],
  ])('%s is refused: %s', (text, words) => {
    expect(isIndexId(text)).toBe(false)
    expect(idProblem(text)).toContain(words)
  })

  test('has one spelling as an id', () => {
    const others = ['mean(BRTI,60)', 'Mean(BRTI, 60)', 'mean(BRTI, 060)', 'mean(BRTI, 60 s)', ' mean(BRTI, 60)']
    expect(others.filter(isIndexId)).toEqual([])
  })

  test('publishes each second, with the decimals of its index', () => {
    const infoOf = () => ({ maxResolution: 'PER_200MS', decimals: 2 }) as const
    expect(formulaInfo('mean(BRTI, 60)', infoOf)).toEqual({
      ...{ id: 'mean(BRTI, 60)', name: 'Mean of BRTI over 60 s', maxResolution: 'PER_SECOND', decimals: 2 },
    })
    expect(formulaInfo('mean(BRTI, 60)', () => undefined)).toBeUndefined()
  })

  test('needs an index that publishes each second', () => {
    expect(misfit('mean(BRR, 60)', () => 'DAILY')).toBe(
      'BRR publishes less often than each second, so it has no mean of seconds. Choose a real-time index such as BRTI.',
    )
    for (const resolution of ['PER_SECOND', 'PER_200MS', undefined] as const)
      expect(misfit('mean(BRTI, 60)', () => resolution)).toBeUndefined()
    expect(misfit('BRTI \u2212 BRR', () => 'DAILY')).toBeUndefined()
  })
})
