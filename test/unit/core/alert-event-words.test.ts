import { describe, expect, test } from 'vitest'
import { eventWords, pastWords, repeatedTitle } from '../../../core/alert-event-words'
import type { AlertEvent } from '../../../core/alert-events'
import type { AlertInputs } from '../../../core/alert-inputs'
import type { AlertTerms } from '../../../core/alerts'
import { ruleWords } from '../../../core/alert-words'
import { formatDecimal } from '../../../core/decimal'
import { firedEvent, levelDraft, sampleTerms } from '../../support/sample-alerts'

const noon = Date.UTC(2023, 10, 1, 12)
const minute = 60_000
const format = { number: formatDecimal, time: (ms: number) => new Date(ms).toISOString().slice(11, 19) }

function fired(terms: AlertTerms, inputs: AlertInputs, more: Partial<AlertEvent> = {}): string {
  return eventWords(firedEvent(1, { ...levelDraft(), terms }, { inputs, ...more }), format)
}

const rises: AlertTerms = { condition: 'risesTo', level: '68500' }
const at = { value: '68512.30', publishedAtMs: noon }

describe('a firing states the value and the condition', () => {
  const low = { value: '100', publishedAtMs: noon - 10 * minute }
  const moves = (unit: 'percent' | 'points'): AlertTerms => ({
    condition: 'moves',
    direction: 'either',
    amount: '2',
    unit,
    withinMs: 15 * minute,
  })
  const weight = { constituent: 'BTC', weightPercent: '50' }

  test.each<[AlertTerms, AlertInputs, string]>([
    [rises, at, 'rose to 68,512.30 (level 68,500)'],
    [{ ...rises, condition: 'fallsTo' }, at, 'fell to 68,512.30 (level 68,500)'],
    [{ ...rises, condition: 'crosses' }, { ...at, direction: 'up' }, 'rose to 68,512.30 (level 68,500)'],
    [{ ...rises, condition: 'crosses' }, { ...at, direction: 'down' }, 'fell to 68,512.30 (level 68,500)'],
    [{ ...rises, condition: 'isAbove' }, at, 'is above 68,500: 68,512.30'],
    [{ ...rises, condition: 'isBelow' }, at, 'is below 68,500: 68,512.30'],
    [{ condition: 'entersBand', low: '1', high: '2' }, { value: '1.5' }, 'entered the band 1 to 2: 1.5'],
    [{ condition: 'leavesBand', low: '1', high: '2' }, { value: '3' }, 'left the band 1 to 2: 3'],
    [
      moves('percent'),
      { value: '102', change: '2', reference: { ...low, kind: 'oldest' } },
      'rose 2 % to 102, from 100 at 11:50:00',
    ],
    [
      moves('percent'),
      { value: '102', change: '2', reference: { ...low, kind: 'min' } },
      'rose 2 % to 102, from the low of 100 at 11:50:00',
    ],
    [
      moves('points'),
      { value: '98', change: '-2.00', reference: { ...low, kind: 'max' } },
      'fell 2.00 points to 98, from the high of 100 at 11:50:00',
    ],
    [{ condition: 'noUpdate' }, { silentSinceMs: noon }, 'no update since 12:00:00'],
    [{ condition: 'noUpdate' }, {}, 'no update'],
    [{ condition: 'carriedOver' }, at, 'is carried forward: 68,512.30'],
    [{ condition: 'amended' }, at, 'was amended to 68,512.30'],
    [{ condition: 'fixed', graceMs: 900_000 }, at, 'published its fixing: 68,512.30'],
    [{ condition: 'fixed', graceMs: 900_000 }, { dueMs: noon }, 'no fixing received'],
    [{ condition: 'corporateAction' }, {}, 'has a corporate action'],
    [
      { condition: 'weightAtOrAbove', ...weight },
      { value: '55.20', constituent: 'BTC' },
      'weight of BTC is 55.20 % (threshold 50 %)',
    ],
    [
      { condition: 'weightAtOrBelow', ...weight },
      { value: '45', constituent: 'BTC' },
      'weight of BTC is 45 % (threshold 50 %)',
    ],
    [
      { condition: 'weightDrift', points: '2', base: 'made' },
      { value: '55', before: '52.9', constituent: 'ETH' },
      'weight of ETH drifted to 55 % from 52.9 %',
    ],
    [{ condition: 'constituentsChanged' }, { joined: ['A', 'B'], left: ['C'] }, 'A, B added, C removed'],
    [{ condition: 'constituentsChanged' }, { joined: [], left: ['C'] }, 'C removed'],
    [{ condition: 'constituentsChanged' }, {}, 'constituents changed'],
    [{ condition: 'divisorChanged' }, { value: '2034', before: '2033.5' }, 'divisor is 2,034, was 2,033.5'],
    [
      { condition: 'exchangeShareAtOrBelow', constituent: 'BTC', exchange: 'kraken', sharePercent: '5' },
      { value: '4.5', constituent: 'BTC' },
      'share of kraken in BTC is 4.5 % (threshold 5 %)',
    ],
    [
      { condition: 'continuity', tolerancePercent: '0.5' },
      { value: '-0.6' },
      'differs from its constituents by 0.6 % (tolerance 0.5 %)',
    ],
    [
      { condition: 'spreadAtOrAbove', spreadBps: '10' },
      { value: '12.34' },
      'bid–ask spread is 12.34 bp (threshold 10 bp)',
    ],
    [
      { condition: 'depthAtOrBelow', depth: '1500' },
      { value: '1499.5' },
      'utilized depth is 1,499.5 (threshold 1,500)',
    ],
  ])('%j %j', (terms, inputs, words) => expect(fired(terms, inputs)).toBe(words))

  test('and the length of its hold, or both times of its gap', () => {
    const held = { ...at, heldSinceMs: noon - 5 * minute }
    expect(fired(rises, held)).toBe('rose to 68,512.30 (level 68,500), held for 5 min')
    expect(fired(rises, { ...at, gapSinceMs: noon - minute })).toBe(
      'rose to 68,512.30 (level 68,500), crossed in a gap between 11:59:00 and 12:00:00',
    )
  })
})

describe('an event from backfilled values', () => {
  const late = { kind: 'lateFromHistory', recordedAtMs: noon + 6_000 } as const
  const latest = { value: '68490', publishedAtMs: noon + 5_000 }
  const over = { value: '68400.10', publishedAtMs: noon + 3_000 }

  test.each<[AlertTerms, AlertInputs, Partial<AlertEvent>, string]>([
    [rises, { ...at, latest }, late, 'rose to 68,512.30 at 12:00:00 (level 68,500), late by 6 s; now 68,490'],
    [
      rises,
      { ...at, latest, over },
      late,
      'rose to 68,512.30 at 12:00:00 (level 68,500) and was back below at 12:00:03, late by 6 s; now 68,490',
    ],
    [
      { condition: 'crosses', level: '68500' },
      { ...at, over, direction: 'down' },
      { ...late, recordedAtMs: noon + 317 * minute + 900 },
      'fell to 68,512.30 at 12:00:00 (level 68,500) and was back above at 12:00:03, late by 5 h 17 min',
    ],
    [
      { condition: 'leavesBand', low: '1', high: '2' },
      { ...at, over },
      { ...late, recordedAtMs: noon + 3_000 * minute },
      'left the band 1 to 2: 68,512.30 at 12:00:00 and was back inside at 12:00:03, late by 2 d 2 h',
    ],
    [
      { condition: 'entersBand', low: '1', high: '2' },
      { ...at, over },
      { ...late, recordedAtMs: noon },
      'entered the band 1 to 2: 68,512.30 at 12:00:00 and was back outside at 12:00:03, late by 1 s',
    ],
    [rises, { ...at, missedSinceMs: noon }, { kind: 'retracted' }, 'retracted: backfilled values do not confirm it'],
    [
      rises,
      { ...at, missedSinceMs: noon },
      { kind: 'confirmed' },
      'confirmed: rose to 68,512.30 at 12:00:00 (level 68,500)',
    ],
  ])('%j %j %j', (terms, inputs, more, words) => expect(fired(terms, inputs, more)).toBe(words))

  test.each([
    [['BRTI'], 'no data 11:00:00–12:00:00: alerts could not be checked'],
    [['BRTI', 'NCI'], 'no data 11:00:00–12:00:00 for this and 1 other index: alerts could not be checked'],
    [['BRTI', 'NCI', 'BRR'], 'no data 11:00:00–12:00:00 for this and 2 other indices: alerts could not be checked'],
  ])('states the time without data for %j', (indexIds, words) => {
    const unknown = { fromMs: noon - 60 * minute, toMs: noon, indexIds }
    expect(fired(rises, {}, { kind: 'notKnown', unknown })).toBe(words)
  })
})

test.each<[Partial<AlertEvent>, string]>([
  [{ kind: 'lateByAmendment' }, 'rose to 68,512.30 (level 68,500) (late: value amended)'],
  [{ kind: 'retracted' }, 'retracted: amended to 68,512.30'],
  [{ kind: 'confirmed' }, 'amended to 68,512.30, still true'],
  [{ kind: 'cooldownOver', heldBackCount: 3 }, '3 more during the cooldown, now 68,512.30'],
  [{ kind: 'confirmed', heldBackCount: 140 }, 'amended to 68,512.30, still true, 140 more like it'],
  [{ kind: 'recovered' }, 'publishes again, now 68,512.30'],
  [{ kind: 'recovered', inputs: {} }, 'publishes again'],
  [{ kind: 'snoozed', untilMs: noon }, 'alert snoozed until 12:00:00'],
  [{ kind: 'snoozed', untilMs: null }, 'alert snoozed until you end the snooze'],
  [{ kind: 'snoozed', untilMs: noon, isMute: true }, 'muted until 12:00:00'],
  [{ kind: 'snoozed', untilMs: null, isMute: true }, 'muted until you unmute them'],
  [{ kind: 'expiresSoon', untilMs: noon }, 'alert expires at 12:00:00'],
  [{ kind: 'expired' }, 'alert expired'],
  [{ kind: 'cannotFire', reason: 'no BTCC in NCI' }, 'alert cannot fire: no BTCC in NCI'],
  [{ kind: 'suspended', reason: 'fired 15 times in 3 min' }, 'alert suspended: fired 15 times in 3 min'],
])('%j', (more, words) => expect(fired(rises, at, more)).toBe(words))

// `npx vitest run test/unit/core -u` writes the file.
test('each condition has words for repeated firings, without values', async () => {
  const lines = sampleTerms.map(
    (terms) => `${ruleWords({ indexId: 'NCI', terms }, formatDecimal)} · ${pastWords(terms, formatDecimal)}`,
  )
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('condition-words.txt')
})

describe('several firings of one rule are one line that ends with the last', () => {
  test.each<[AlertTerms, AlertInputs, number, string]>([
    [
      { ...rises, condition: 'crosses' },
      { ...at, direction: 'up' },
      6,
      'crossed 68,500 six times, last up at 68,512.30',
    ],
    [
      { ...rises, condition: 'crosses' },
      { ...at, direction: 'down' },
      2,
      'crossed 68,500 twice, last down at 68,512.30',
    ],
    [rises, at, 11, 'rose to 68,500 11 times, last at 68,512.30'],
    [
      { condition: 'moves', direction: 'either', amount: '2', unit: 'percent', withinMs: 15 * minute },
      { ...at, change: '-2.1' },
      3,
      'moved by 2 % within 15 min three times, last down at 68,512.30',
    ],
    [{ condition: 'noUpdate' }, { silentSinceMs: noon }, 4, 'had no update four times, last since 12:00:00'],
    [
      { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '50' },
      { value: '50.4' },
      2,
      'weight of BTC was at or above 50 % twice, last at 50.4 %',
    ],
    [{ condition: 'constituentsChanged' }, { joined: ['SUI'] }, 2, 'constituents were added or removed twice'],
  ])('%o %o %i: %s', (terms, inputs, count, words) => {
    const event = firedEvent(1, { ...levelDraft(), terms }, { inputs })
    expect(repeatedTitle(event, count, format)).toBe(`BRTI ${words}`)
  })

  test('with the time of a late firing and a mark of the demo service', () => {
    const event = firedEvent(1, { ...levelDraft(), terms: rises }, { inputs: at, kind: 'lateFromHistory' })
    const late = { ...event, recordedAtMs: noon + 6_000, isDemo: true }
    expect(repeatedTitle(late, 2, format)).toBe(
      'Demo · BRTI rose to 68,500 twice, last at 68,512.30 at 12:00:00, late by 6 s',
    )
  })
})
