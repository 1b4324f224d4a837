import { expect, test } from 'vitest'
import { formatValue, valueParts } from '../../../../renderer/format/value'

test.each([
  ['0.0000181898', 10, { zeros: '0.0000', digits: '181898', padding: '' }],
  ['−0.0310', 6, { zeros: '−0.0', digits: '310', padding: '00' }],
  ['0.50', 2, { zeros: '', digits: '0.50', padding: '' }],
  ['84,720.8', 2, { zeros: '', digits: '84,720.8', padding: '0' }],
  ['84,720', 2, { zeros: '', digits: '84,720', padding: '.00' }],
  ['0.000', 2, { zeros: '', digits: '0.000', padding: '' }],
  ['1.5e-60', 4, { zeros: '', digits: '1.5e-60', padding: '' }],
  ['—', 2, { zeros: '', digits: '—', padding: '' }],
])('%s with %i decimals is split into zeros, digits and padding without losing a digit', (shown, decimals, parts) => {
  expect(valueParts(shown, decimals)).toEqual(parts)
  expect(parts.zeros + parts.digits).toBe(shown)
})

test('without declared decimals a value is as published', () => expect(valueParts('84,720.8').padding).toBe(''))

test('a negative value has a minus sign (U+2212)', () =>
  expect(formatValue('-1234.50', { grouping: 'comma', timeZone: 'UTC' })).toBe('−1,234.50'))
