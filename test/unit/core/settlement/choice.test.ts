import { expect, test } from 'vitest'
import { readChoice, withStrike } from '../../../../core/settlement/choice'

const initial = readChoice(null)

test('a stored choice is read as it was written', () => {
  const choice = withStrike(
    { ...initial, preset: 'free', seconds: '90', closeMs: 1_700_000_000_000, includesClose: true },
    { kind: 'between', level: '1.10', high: '1.2' },
  )
  expect(readChoice(JSON.stringify(choice))).toEqual(choice)
})

test.each(['', 'null', '[]', '{', '7', '"x"', '{"preset":7}'])('%j gives the default choice', (text) => {
  expect(readChoice(text)).toEqual(initial)
})

test.each([
  { preset: 'constructor' },
  { seconds: 60 },
  { closeMs: 'soon' },
  { strikes: [{ kind: 'above', level: 'much' }] },
  { strikes: [{ kind: 'between', level: '1' }] },
  { strikes: [{ kind: 'above', level: '1', high: '2' }] },
])('what is not understood has its default: %j', (part) => {
  expect(readChoice(JSON.stringify({ leavesOutCarried: true, ...part }))).toEqual({
    ...initial,
    leavesOutCarried: true,
  })
})

test('an equal strike is kept once, and of more than forty the newest', () => {
  let choice = initial
  for (let at = 0; at < 45; at++) choice = withStrike(choice, { kind: 'above', level: String(at) })
  choice = withStrike(choice, { kind: 'above', level: '10' })
  expect(choice.strikes.map(({ level }) => level)).toEqual([
    ...['5', '6', '7', '8', '9'],
    ...Array.from({ length: 34 }, (_, at) => String(at + 11)),
    '10',
  ])
})
