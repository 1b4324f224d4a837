import { expect, test } from 'vitest'
import { decimalText } from '../../../simulator/decimal-text'

test('a level is rounded to the published decimals and keeps trailing zeros', () => {
  expect(decimalText(79_767.304, { decimals: 2 })).toBe('79767.30')
  expect(decimalText(0.1010484, { decimals: 7 })).toBe('0.1010484')
  expect(decimalText(2, { decimals: 4 })).toBe('2.0000')
})

test('scientific notation drops trailing zeros and so has as many digits as needed', () => {
  expect(decimalText(0.0000135, { decimals: 10, isScientific: true })).toBe('1.35e-5')
  expect(decimalText(0.00001351237, { decimals: 10, isScientific: true })).toBe('1.35124e-5')
  expect(decimalText(0.00000991, { decimals: 10, isScientific: true })).toBe('9.91e-6')
})
