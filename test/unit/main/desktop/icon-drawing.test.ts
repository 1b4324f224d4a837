import { expect, test } from 'vitest'
import { drawIcon, type IconLook } from '../../../../main/desktop/icon-drawing'

const connections = ['live', 'waiting', 'off'] as const
const size = 22

/** Where the icon is, whatever its colour. */
function shape(look: IconLook): string {
  const pixels = drawIcon(look, size)
  return Array.from({ length: size * size }, (_, at) => ((pixels[at * 4 + 3] ?? 0) > 127 ? '#' : '.')).join('')
}

test('every state has a shape of its own, so that colour is not needed', () => {
  const looks = connections.flatMap((connection) =>
    [true, false].flatMap((hasUnread) => [true, false].map((isMuted) => ({ connection, hasUnread, isMuted }))),
  )
  // A full disc's line is drawn in it, not cut out of it: shapes differ by their outline alone.
  expect(new Set(looks.map(shape)).size).toBe(looks.length)
  expect(shape({ connection: 'live', hasUnread: false })).toBe(shape({ connection: 'live', hasUnread: false }))
})

test('the corners are transparent and colours stay below their alpha', () => {
  const pixels = drawIcon({ connection: 'live', hasUnread: false }, size)
  expect(pixels).toHaveLength(size * size * 4)
  expect([...pixels.slice(0, 4)]).toEqual([0, 0, 0, 0])
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.slice(at, at + 4)
    expect(Math.max(red, green, blue)).toBeLessThanOrEqual(alpha)
  }
})
