/**
 * The letter or digit of a key, in lower case. It goes by the place of the key if the layout has no Latin letter there
 * (Cyrillic л is `k`) or needs Shift for the digit (French " is `3`).
 */
export function pressedKey({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  const [, letter, digit] = /^(?:Key([A-Z])|Digit(\d))$/.exec(code) ?? []
  const isForeign = /^(?!\p{Script=Latin})\p{L}$/u.test(key)
  if (letter !== undefined && isForeign) return letter.toLowerCase()
  return digit !== undefined && !shiftKey ? digit : key.toLowerCase()
}
