import { expect, test } from 'vitest'
import { resolutions } from '../../../../protocol/model'
import { offeredWords } from '../../../../renderer/format/resolution-words'

test('that 200 ms is not offered is said of every index but those that publish at it', () => {
  expect(offeredWords('PER_200MS')).toBe('every 200 ms')
  expect(offeredWords('PER_SECOND')).toBe('every second; 200 ms is not offered')
  expect(offeredWords('DAILY')).toBe('daily; 200 ms is not offered')
  const silent = resolutions.filter((resolution) => !offeredWords(resolution).includes('not offered'))
  expect(silent).toEqual(['PER_200MS'])
})
