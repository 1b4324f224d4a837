import { expect, test } from 'vitest'
import { fitsSubprotocols, keyFormProblem } from '../../../../main/base/http'

test.each([
  ['reader', 'correct-horse_9~'],
  ['a.b|c', "!#$%&'*+^`"],
])('the key %s fits', (keyId, keySecret) => {
  expect(fitsSubprotocols(keyId, keySecret)).toBe(true)
})

test.each([
  ['a space', 'reader', 'correct horse'],
  ['a slash', 'reader', 'a/b'],
  ['an equals sign', 'reader', 'YWI='],
  ['a comma', 'a,b', 'secret'],
  ['a letter beyond ASCII', 'é', 'secret'],
  ['a line break', 'reader', 'secret\n'],
  ['nothing', 'reader', ''],
  ['the same twice', 'reader', 'reader'],
  ['the name of the subprotocol', 'cfb', 'secret'],
])('a key with %s does not', (_, keyId, keySecret) => {
  expect(fitsSubprotocols(keyId, keySecret)).toBe(false)
  expect(keyFormProblem('subprotocol', keyId, keySecret)).toContain('Choose the HTTP header')
  expect(keyFormProblem('basic', keyId, keySecret)).toBeUndefined()
})
