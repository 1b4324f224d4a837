import { expect, test } from 'vitest'
import { valueMessage } from '../../../../simulator/stream/channels'

test('a value is written as in production: type, time, id, value, no spaces', () =>
  expect(JSON.stringify(valueMessage('value', 'BRTI', { time: 1_788_717_461_800, value: '79767.34' }))).toBe(
    '{"type":"value","time":1788717461800,"id":"BRTI","value":"79767.34"}',
  ))

test('amendTime and repeatOfPreviousValue follow only when they apply', () => {
  const amended = { time: 1, value: '1.0', amendTime: 2, repeatOfPreviousValue: true } as const
  expect(JSON.stringify(valueMessage('value', 'A', amended))).toBe(
    '{"type":"value","time":1,"id":"A","value":"1.0","amendTime":2,"repeatOfPreviousValue":true}',
  )
})
