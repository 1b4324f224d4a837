import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join('resources', 'icons')
const states = ['live', 'waiting', 'off'].flatMap((connection) =>
  ['', '-unread'].flatMap((unread) => ['', '-muted'].map((muted) => `tray-${connection}${unread}${muted}`)),
)
/** Sizes of icons by kind: panels of Linux and Windows, and macOS's menu bar. */
const kinds = new Map([
  ['', 22],
  ['Template', 18],
])
const trayPictures = [...kinds].flatMap(([kind, points]) =>
  states.flatMap((state) =>
    [1, 1.5, 2].map((scale) => [`${state}${kind}${scale === 1 ? '' : `@${scale}x`}.png`, points * scale] as const),
  ),
)
const sizes = new Map([...trayPictures, ['app-64.png', 64], ['app-128.png', 128]])

test('each state of the tray and size of the app has a picture', () =>
  expect(readdirSync(folder).sort()).toEqual([...sizes.keys()].sort()))

test.each([...sizes])('%s is a PNG of %i pixels square with transparency', (name, size) => {
  const picture = readFileSync(join(folder, name))
  expect(picture.toString('latin1', 1, 4)).toBe('PNG')
  const [width, height, colourType] = [picture.readUInt32BE(16), picture.readUInt32BE(20), picture.readUInt8(25)]
  expect({ width, height, colourType }).toEqual({ width: size, height: size, colourType: 6 })
})

test('no two states share a picture', () => {
  const hashes = trayPictures.map(([name]) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  )
  expect(new Set(hashes).size).toBe(trayPictures.length)
})
