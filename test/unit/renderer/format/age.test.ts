import { describe, expect, test } from 'vitest'
import { ageText, agoText, untilOlderMs } from '../../../../renderer/format/age'

describe('an age', () =>
  test.each([
    [0, '0 s'],
    [-5, '0 s'],
    [999, '0 s'],
    [9_999, '9 s'],
    [10_000, '10 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [22 * 3_600_000, '22 h'],
    [71 * 3_600_000, '71 h'],
    [72 * 3_600_000, '3 d'],
  ])('of %d ms reads %s', (ageMs, text) => expect(ageText(ageMs)).toBe(text)))

test.each([
  [0, 1_000],
  [-5, 1_000],
  [1_999, 1],
  [59_400, 600],
  [60_000, 60_000],
  [179_000, 1_000],
  [26 * 3_600_000 - 1, 1],
])('an age of %d ms reads the same for another %d', (ageMs, untilMs) => expect(untilOlderMs(ageMs)).toBe(untilMs))

test('the time since something happened is shown from one minute on', () =>
  expect([59_999, 60_000, 7_200_000, -1].map((agoMs) => agoText(1_000_000 - agoMs, 1_000_000))).toEqual([
    undefined,
    '1 min ago',
    '2 h ago',
    undefined,
  ]))
