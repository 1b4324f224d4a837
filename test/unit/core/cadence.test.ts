import { expect, test } from 'vitest'
import { isHourlyOrSlower, isRealTime } from '../../../core/cadence'
import { resolutions } from '../../../core/model'

test('an index publishes in real time, by the minute, or hourly and slower', () => {
  expect(resolutions.filter(isRealTime)).toEqual(['PER_200MS', 'PER_SECOND'])
  expect(resolutions.filter(isHourlyOrSlower)).toEqual(['PER_HOUR', 'DAILY', 'BUSINESS_DAYS'])
  expect([isRealTime(undefined), isHourlyOrSlower(undefined)]).toEqual([false, false])
})
