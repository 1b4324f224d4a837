import { expect, test } from 'vitest'
import { fitsSubprotocols, keyFormProblem } from '../../../../main/base/http'

test.each([
  ['reader', 'correct-horse_9~'],
  ['a.b|c', "!#$%&'*+^`"],
])('the key %s fits', (keyId, keySecret) => expect(fitsSubprotocols(keyId, keySecret)).toBe(true))

test.each([
  { flaw: 'a space', keySecret: 'correct horse' },
  { flaw: 'a slash', keySecret: 'a/b' },
  { flaw: 'an equals sign', keySecret: 'YWI=' },
  { flaw: 'a comma', keyId: 'a,b' },
  { flaw: 'a letter beyond ASCII', keyId: 'é' },
  { flaw: 'a line break', keySecret: 'secret\n' },
  { flaw: 'nothing', keySecret: '' },
  { flaw: 'the same twice', keyId: 'secret' },
  { flaw: 'the name of the subprotocol', keyId: 'cfb' },
])('a key with $flaw does not', ({ keyId = 'reader', keySecret = 'secret' }) => {
  expect(fitsSubprotocols(keyId, keySecret)).toBe(false)
  expect(keyFormProblem('subprotocol', keyId, keySecret)).toContain('Choose the HTTP header')
  expect(keyFormProblem('basic', keyId, keySecret)).toBeUndefined()
})
