import { describe, expect, test } from 'vitest'
import { checkDraft, type DraftContext } from '../../../core/alert-checks'
import type { AlertDraft, AlertTerms } from '../../../core/alerts'
import { levelDraft } from '../../support/sample-alerts'

const nowMs = Date.UTC(2023, 10, 1, 12)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const brti: DraftContext = {
  nowMs,
  isKnown: true,
  index: { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', maxResolution: 'PER_SECOND', base: 'BTC' },
}
const brr: DraftContext = {
  nowMs,
  index: { id: 'BRR', name: 'CME CF Bitcoin Reference Rate', maxResolution: 'DAILY', base: 'BTC' },
}
const rate: DraftContext = {
  nowMs,
  index: { id: 'SOL_SRR', name: 'CF SOL Staking Reward Rate Index', maxResolution: 'BUSINESS_DAYS' },
}
const basket: DraftContext = {
  nowMs,
  index: { id: 'UC5_RTI_TR', name: 'CF Ultra Cap 5 - Spot Rate', maxResolution: 'PER_SECOND' },
}
const nasdaq: DraftContext = {
  nowMs,
  index: { id: 'NCI', name: 'Nasdaq Crypto Index', maxResolution: 'PER_SECOND' },
}
const unknown: DraftContext = { nowMs }

function faults(terms: AlertTerms, context: DraftContext = brti, more: Partial<AlertDraft> = {}): string[] {
  const draft: AlertDraft = {
    indexId: context.index?.id ?? 'BRTI',
    terms,
    repeat: { mode: 'once' },
    severity: 'normal',
    ...more,
  }
  return checkDraft(draft, context).map(({ field, message }) => `${field}: ${message}`)
}

const level = (text: string): AlertTerms => ({ condition: 'risesTo', level: text })
const band = (low: string, high: string): AlertTerms => ({ condition: 'entersBand', low, high })
const move = (amount: string, withinMs: number): AlertTerms => ({
  condition: 'moves',
  direction: 'either',
  amount,
  unit: 'percent',
  withinMs,
})

describe('a level', () => {
  test.each(['68500.00', '0', '0.0000135', '1'.repeat(24), '-0'])('typed as %s is accepted', (text) =>
    expect(faults(level(text))).toEqual([]),
  )

  test.each([
    ['', 'level: Enter a level, such as 68500.00.'],
    ['abc', 'level: A level is a number such as 68500.00.'],
    ['.5', 'level: A level is a number such as 68500.00.'],
    ['68,500', 'level: Write the level with digits only and a point before the decimals, such as 68500.00.'],
    [' 5', 'level: Write the level with digits only and a point before the decimals, such as 68500.00.'],
    ['1.35e-5', 'level: Write the level out, such as 0.0000135.'],
    ['1e60', 'level: Write the level out, such as 0.0000135.'],
    ['1'.repeat(30), 'level: The level has more than 24 digits. Leave some out.'],
    ['-1', 'level: BRTI is never negative. Enter 0 or more.'],
  ])('typed as "%s" is refused with a remedy', (text, message) => expect(faults(level(text))).toEqual([message]))

  test('below zero is accepted for a rate and for an unknown index', () => {
    expect(faults(level('-0.5'), rate)).toEqual([])
    expect(faults(level('-0.5'), unknown)).toEqual([])
  })
})

describe('a band', () => {
  test('has a low and a high end, in that order', () => {
    expect(faults(band('99', '101'))).toEqual([])
    const swapped = 'high: The high end must be above the low end. Raise it, or swap the two.'
    expect(faults(band('101', '99'))).toEqual([swapped])
    expect(faults(band('99', '99.0'))).toEqual([swapped])
    expect(faults(band('', 'x'))).toEqual([
      'low: Enter a low end, such as 67000.00.',
      'high: A high end is a number such as 68500.00.',
    ])
  })

  test.each([
    ['0.9', 'points', true],
    ['1', 'points', false],
    ['90', 'basisPoints', true],
    ['102', 'basisPoints', false],
  ] as const)('from 99 to 101 with a re-arm band of %s %s has room left: %s', (size, unit, isFine) => {
    const found = faults({ condition: 'leavesBand', low: '99', high: '101', rearmBand: { size, unit } })
    expect(found).toEqual(isFine ? [] : ['rearmBand: The re-arm band covers the whole band. Make it narrower.'])
  })
})

describe('a re-arm band', () => {
  const rearm = (text: string, size: string, unit: 'points' | 'basisPoints', context = brti) =>
    faults({ condition: 'risesTo', level: text, rearmBand: { size, unit } }, context)

  test('must be narrower than the level', () => {
    const tooWide = ['rearmBand: The re-arm band is as wide as the level itself. Make it narrower.']
    expect(rearm('100', '99.9', 'points')).toEqual([])
    expect(rearm('100', '100.0', 'points')).toEqual(tooWide)
    expect(rearm('100', '9999', 'basisPoints')).toEqual([])
    expect(rearm('100', '10000', 'basisPoints')).toEqual(tooWide)
    // Near zero the band may be wider.
    expect(rearm('0.1', '0.5', 'points', rate)).toEqual([])
  })

  test('must be a number of 0 or more', () => {
    expect(rearm('100', '0', 'points')).toEqual([])
    expect(rearm('100', '-1', 'points')).toEqual(['rearmBand: A re-arm band is 0 or more. Leave the minus out.'])
    expect(rearm('100', '', 'points')).toEqual(['rearmBand: Enter a re-arm band, such as 5.'])
    expect(rearm('', '-1', 'points')).toHaveLength(2)
  })

  test('of a level of 0 must be in points', () => {
    const message = 'rearmBand: Basis points of a level of 0 are 0. Set the re-arm band in points.'
    expect(rearm('0.00', '5', 'basisPoints')).toEqual([message])
    expect(rearm('0', '5', 'points')).toEqual([])
    expect(rearm('0', '0', 'basisPoints')).toEqual([])
  })
})

describe('a move', () => {
  test('must be above 0, and a fall at most 100 %', () => {
    expect(faults(move('0.01', hour))).toEqual([])
    expect(faults(move('0', hour))).toEqual(['amount: Enter a number above 0, such as 3.'])
    expect(faults(move('-2', hour))).toEqual(['amount: Enter a number above 0, such as 3.'])
    const fall: AlertTerms = { condition: 'moves', direction: 'down', amount: '101', unit: 'percent', withinMs: hour }
    expect(faults(fall)).toEqual(['amount: A value cannot fall by more than 100 %. Enter less.'])
    expect(faults(fall, rate).filter((each) => each.startsWith('amount'))).toEqual([])
  })

  test('has a window of at least two publications and at most the history', () => {
    expect(faults(move('2', 2_000))).toEqual([])
    expect(faults(move('2', 1_000))).toEqual(['withinMs: Choose a time of at least 2 s, two publications of BRTI.'])
    expect(faults(move('2', day))).toEqual([])
    expect(faults(move('2', day + 1))).toEqual(['withinMs: Choose a time of at most 1 d: BRTI has no older history.'])
    expect(faults(move('2', 7 * day), brr)).toEqual([])
    expect(faults(move('2', hour), brr)).toEqual(['withinMs: Choose a time of at least 2 d, two publications of BRR.'])
    expect(faults(move('2', 400 * day), brr)).toHaveLength(1)
    expect(faults(move('2', Number.NaN), unknown)).toEqual(['withinMs: Choose a time of at least 2 s.'])
  })
})

describe('a silence', () =>
  test('must be longer than the index is usually silent', () => {
    const after = (afterMs: number, context: DraftContext) => faults({ condition: 'noUpdate', afterMs }, context)
    expect(faults({ condition: 'noUpdate' })).toEqual([])
    expect(after(5_000, brti)).toEqual([])
    expect(after(1_000, brti)).toEqual([
      'afterMs: Choose more than 1 s: BRTI may take as long between two publications.',
    ])
    expect(after(day, brr)).toHaveLength(1)
    expect(after(26 * hour, brr)).toEqual([])
    // A weekend is between two business days.
    expect(after(2 * day, rate)).toHaveLength(1)
    expect(after(4 * day, rate)).toEqual([])
    expect(after(367 * day, brti)).toEqual(['afterMs: Choose at most 366 d.'])
  }))

describe('terms of constituents', () => {
  const weight = (weightPercent: string, constituent = 'BTC'): AlertTerms => ({
    condition: 'weightAtOrAbove',
    constituent,
    weightPercent,
  })

  test('need a constituent and a percentage from 0 to 100', () => {
    expect(faults(weight('0'), basket)).toEqual([])
    expect(faults(weight('100.00'), basket)).toEqual([])
    expect(faults(weight('100.01'), basket)).toEqual([
      'weightPercent: A weight is from 0 to 100 %. Enter one of these.',
    ])
    expect(faults(weight('-1'), basket)).toEqual(['weightPercent: A weight is from 0 to 100 %. Enter one of these.'])
    expect(faults(weight('50', ' '), basket)).toEqual(['constituent: Choose a constituent, such as BTC.'])
    const share = { condition: 'exchangeShareAtOrBelow', constituent: '', exchange: '', sharePercent: 'x' } as const
    expect(faults(share, nasdaq)).toEqual([
      'constituent: Choose a constituent, such as BTC.',
      'exchange: Choose an exchange, such as Kraken.',
      'sharePercent: A share is a number such as 10.',
    ])
  })

  test('need a drift or a tolerance above 0', () => {
    const drift = (points: string): AlertTerms => ({ condition: 'weightDrift', points, base: 'made' })
    expect(faults(drift('0.5'), basket)).toEqual([])
    expect(faults(drift('0'), basket)).toEqual(['points: Enter a number above 0, such as 2.'])
    expect(faults(drift('101'), basket)).toEqual(['points: Enter at most 100.'])
    expect(faults({ condition: 'continuity', tolerancePercent: '0' }, nasdaq)).toHaveLength(1)
  })

  test('are refused if the index is known not to publish them', () => {
    const none = 'condition: BRTI has no constituents. Choose a basket, or another condition.'
    expect(faults(weight('50'), brti)).toEqual([none])
    expect(faults(weight('50'), rate)[0]).toContain('SOL_SRR has no constituents')
    expect(faults({ condition: 'constituentsChanged' }, nasdaq)).toEqual([])
    expect(faults({ condition: 'divisorChanged' }, nasdaq)).toEqual([])
    expect(faults({ condition: 'divisorChanged' }, basket)[0]).toContain('has neither a divisor nor exchanges')
    expect(faults({ condition: 'corporateAction' }, brr)[0]).toContain('Only real-time indices have corporate actions')
    expect(faults({ condition: 'corporateAction' }, brti)).toEqual([])
    expect(faults(weight('50'), unknown)).toEqual([])
    expect(faults(weight('50'), { nowMs, index: { id: 'NEW', maxResolution: 'PER_SECOND' } })).toEqual([])
  })
})

describe('market conditions', () => {
  const spread = (spreadBps: string, size?: string, unit: 'points' | 'basisPoints' = 'points'): AlertTerms => ({
    condition: 'spreadAtOrAbove',
    spreadBps,
    ...(size !== undefined && { rearmBand: { size, unit } }),
  })

  test('need a spread above 0 or a depth of 0 or more', () => {
    expect(faults(spread('0.5'), brti)).toEqual([])
    expect(faults(spread('0'), brti)).toEqual(['spreadBps: Enter a number above 0, such as 10.'])
    expect(faults({ condition: 'depthAtOrBelow', depth: '0' }, brti)).toEqual([])
    expect(faults({ condition: 'depthAtOrBelow', depth: '-1' }, brti)).toEqual(['depth: A depth is 0 or more.'])
  })

  test('need a re-arm band in the unit of the level and narrower than a spread', () => {
    expect(faults(spread('10', '9.9'), brti)).toEqual([])
    expect(faults(spread('10', '10'), brti)).toEqual([
      'rearmBand: The re-arm band is as wide as the threshold itself. Make it narrower.',
    ])
    expect(faults(spread('10', '5', 'basisPoints'), brti)).toEqual([
      `rearmBand: Set the re-arm band's unit to "points": it has the unit of the threshold (bp).`,
    ])
    const depth = { condition: 'depthAtOrBelow', depth: '0', rearmBand: { size: '5', unit: 'points' } } as const
    expect(faults(depth, brti)).toEqual([])
  })

  test('20: are refused if the index is too slow or the service is known not to publish them', () => {
    expect(faults(spread('10'), brr)).toEqual([
      'condition: Only real-time indices have market conditions, and BRR is published less often. Choose another condition.',
    ])
    expect(faults(spread('10'), { ...brti, conditions: null })).toEqual([
      'condition: BRTI has no market conditions. Choose another condition.',
    ])
    const published = { value: '1', publishedAtMs: nowMs }
    expect(faults(spread('10'), { ...brti, conditions: published })).toEqual([
      'condition: BRTI has no bid and ask. Choose another condition.',
    ])
    expect(faults({ condition: 'depthAtOrBelow', depth: '1' }, { ...brti, conditions: published })).toEqual([
      'condition: BRTI has no depth. Choose another condition.',
    ])
    expect(faults(spread('10'), { ...brti, conditions: { ...published, valueBid: '1', valueAsk: '2' } })).toEqual([])
  })
})

describe('repeats and times', () => {
  const more = (change: Partial<AlertDraft>, terms = level('1')) => faults(terms, brti, change)

  test('stay within their limits', () => {
    expect(more({ repeat: { mode: 'whileTrue', everyMinutes: 10_080 } })).toEqual([])
    const minutes = 'repeat: Enter whole minutes from 1 to 10080, which is 7 d.'
    expect(more({ repeat: { mode: 'whileTrue', everyMinutes: 10_081 } })).toEqual([minutes])
    expect(more({ repeat: { mode: 'whileTrue', everyMinutes: 0.5 } })).toEqual([minutes])
    expect(more({ repeat: { mode: 'daily', max: 100 } })).toEqual([])
    expect(more({ repeat: { mode: 'daily', max: 101 } })).toEqual([
      'repeat: Enter how many a day at most, from 1 to 100.',
    ])
    expect(more({ holdMs: 7 * day, cooldownMs: 7 * day })).toEqual([])
    expect(more({ holdMs: 7 * day + 1, cooldownMs: 8 * day })).toEqual([
      'holdMs: Enter a time of at most 7 d.',
      'cooldownMs: Enter a time of at most 7 d.',
    ])
    expect(more({ holdMs: 0 })).toEqual(['holdMs: Enter a time of at least 1 s.'])
  })

  test.each<AlertTerms>([
    { condition: 'amended' },
    { condition: 'corporateAction' },
    { condition: 'noUpdate' },
    move('2', hour),
  ])('that need a lasting condition are refused for $condition', (terms) => {
    expect(more({ holdMs: minute }, terms)).toEqual(['holdMs: This condition is momentary. Turn the hold off.'])
    expect(more({ repeat: { mode: 'whileTrue', everyMinutes: 5 } }, terms)).toEqual([
      'repeat: This condition is momentary. Choose “every time” instead of “while it is true”.',
    ])
    expect(more({ repeat: { mode: 'everyCrossing' }, cooldownMs: minute }, terms)).toEqual([])
  })

  test('that have passed are refused', () => {
    const at = (atMs: number) => more({ expiresAt: { atMs, timeZone: 'Europe/London' } })
    expect(at(nowMs + 1)).toEqual([])
    expect(at(nowMs)).toEqual(['expiresAt: This time has passed. Choose a later one, or none.'])
  })
})

describe('words and addresses', () => {
  test('have a limited length', () => {
    expect(faults(level('1'), brti, { note: 'n'.repeat(500), group: 'g'.repeat(60) })).toEqual([])
    expect(faults(level('1'), brti, { note: 'n'.repeat(501), group: 'g'.repeat(61) })).toEqual([
      'note: The note has 501 characters. Shorten it to 500.',
      'group: The group has 61 characters. Shorten it to 60.',
    ])
    expect(faults(level('1'), brti, { note: ' ' })).toHaveLength(1)
  })

  const good = ['https://example.com/hook?a=b', 'http://127.0.0.1:8080/', 'http://localhost/x', 'http://[::1]/']
  test.each(good)('a webhook may be %s', (webhookUrl) => expect(faults(level('1'), brti, { webhookUrl })).toEqual([]))

  test.each([
    ['http://example.com/', 'Enter an address that begins with https://'],
    ['http://127.0.0.1.example.com/', 'Enter an address that begins with https://'],
    ['ftp://127.0.0.1/', 'Enter an address that begins with https://'],
    ['hook', 'Enter an address that begins with https://'],
    ['', 'Enter an address that begins with https://'],
    ['https://me:secret@example.com/', 'Leave name and password out of the address'],
    [`https://example.com/${'x'.repeat(2_048)}`, 'The address has more than 2048 characters'],
  ])('a webhook may not be %s', (webhookUrl, message) =>
    expect(faults(level('1'), brti, { webhookUrl })[0]).toContain(message),
  )
})

test('an index is refused only if the service is known not to list it', () => {
  const draft = levelDraft('1', { indexId: 'XYZ' })
  expect(checkDraft(draft, { nowMs, isKnown: false })).toEqual([
    {
      field: 'indexId',
      message: 'The provider does not list XYZ for this key. Check the id, or choose another index.',
    },
  ])
  expect(checkDraft(draft, { nowMs })).toEqual([])
  expect(checkDraft({ ...draft, indexId: '' }, { nowMs })[0]?.field).toBe('indexId')
})

test('a mean of seconds needs a real-time index', () => {
  const draft = levelDraft('1', { indexId: 'mean(BRR, 60)' })
  const index = { id: draft.indexId, name: 'Mean of BRR over 60 s', maxResolution: 'DAILY' } as const
  expect(checkDraft(draft, { nowMs, index })).toMatchObject([
    { field: 'indexId', message: expect.stringContaining('BRR publishes less often than each second') },
  ])
  expect(checkDraft(draft, { nowMs, index: { ...index, maxResolution: 'PER_SECOND' } })).toEqual([])
})

test('all faults of a draft are listed together', () => {
  const found = checkDraft(
    { ...levelDraft('x'), holdMs: 0, note: '', expiresAt: { atMs: 0, timeZone: 'system' }, webhookUrl: 'x' },
    brti,
  )
  expect(found.map(({ field }) => field)).toEqual(['level', 'holdMs', 'expiresAt', 'note', 'webhookUrl'])
})
