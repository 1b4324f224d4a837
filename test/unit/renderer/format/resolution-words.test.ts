import { expect, test } from 'vitest'
import { resolutions } from '../../../../protocol/model'
import { offeredWords } from '../../../../renderer/format/resolution-words'

test('that there is no 200 ms feed is said of every index but those that publish at it', () => {
  expect(offeredWords('PER_200MS')).toBe('every 200 ms')
  expect(offeredWords('PER_SECOND')).toBe('every second (no 200 ms feed)')
  expect(offeredWords('DAILY')).toBe('daily (no 200 ms feed)')
  const silent = resolutions.filter((resolution) => !offeredWords(resolution).includes('no 200 ms'))
  expect(silent).toEqual(['PER_200MS'])
})
