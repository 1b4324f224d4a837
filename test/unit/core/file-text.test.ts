import { expect, test } from 'vitest'
import { decodeText } from '../../../core/file-text'

const text = 'Größe;BTC\r\n'

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 in the other order', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from(text, 'latin1')],
])('a text in %s is decoded', (_, bytes) => expect(decodeText(bytes)).toBe(text))

test('bytes that no text has are not decoded', () => {
  expect(decodeText(Buffer.from('BTC\0ETH'))).toBeUndefined()
  expect(decodeText(Buffer.from(text, 'utf16le'))).toBeUndefined()
  expect(decodeText(new Uint8Array())).toBe('')
})
