import { expect, test } from 'vitest'
import { pressedKey } from '../../../../renderer/ui/pressed-key'

test.each([
  ['K', 'KeyK', false, 'k'],
  // On a French keyboard A is where Q is on an English one.
  ['a', 'KeyQ', false, 'a'],
  ['л', 'KeyK', false, 'k'],
  ['"', 'Digit3', false, '3'],
  ['é', 'Digit2', false, '2'],
  ['?', 'Slash', true, '?'],
  ['!', 'Digit1', true, '!'],
  ['PageUp', 'PageUp', false, 'pageup'],
])('the key %s at the place %s (Shift: %s) is %s', (key, code, shiftKey, expected) => {
  expect(pressedKey({ key, code, shiftKey })).toBe(expected)
})
