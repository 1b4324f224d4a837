import { expect, test } from 'vitest'
import { pageSubscriptions } from '../../../../main/index-page/page-subscriptions'
import { resolutions } from '../../../../protocol/model'

test('value and constituents are asked for of every index, the rest of real-time ones alone', () => {
  const asked = (resolution: (typeof resolutions)[number] | undefined) =>
    pageSubscriptions('NCI', resolution).map(({ stream }) => stream)
  const realTime = ['value', 'constituents', 'active_corporate_action', 'rti_stats']
  expect(asked('PER_200MS')).toEqual(realTime)
  expect(asked('PER_SECOND')).toEqual(realTime)
  for (const slow of [undefined, ...resolutions.slice(2)]) expect(asked(slow)).toEqual(['value', 'constituents'])
})

test('values are asked for once a second: a row that wants every tick asks for itself', () => {
  expect(pageSubscriptions('BRTI', 'PER_200MS')[0]).toEqual({
    stream: 'value',
    id: 'BRTI',
    maxResolution: 'PER_SECOND',
  })
})
