// @ts-check
// node scripts/draw-icon.js: draws build/icon.png, the app's icon for installers, from the drawing the tray uses.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

// Node runs this file as it is; a static import of it would have to be named in a way that the compiler refuses.
/** @type {typeof import('../main/desktop/icon-drawing')} */
const { drawIcon } = await import(new URL('../main/desktop/icon-drawing.ts', import.meta.url).href)

const size = 512

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8 + body.length)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), 4 + body.length)
  return frame
}

/** PNG keeps colours apart from alpha. @param {Uint8Array} pixels */
function unmultiplied(pixels) {
  return pixels.map((value, index) => {
    const alpha = pixels[index - (index % 4) + 3] ?? 0
    return index % 4 === 3 || alpha === 0 ? value : Math.min(255, Math.round((value * 255) / alpha))
  })
}

/** @param {Uint8Array} pixels */
function png(pixels) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6, 0, 0, 0], 8) // eight bits a channel, red green blue alpha
  const rows = Buffer.alloc(size * (size * 4 + 1))
  for (let row = 0; row < size; row++) {
    rows.set(pixels.subarray(row * size * 4, (row + 1) * size * 4), row * (size * 4 + 1) + 1)
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const folder = join(import.meta.dirname, '..', 'build')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'icon.png'), png(unmultiplied(drawIcon({ connection: 'live', hasUnread: false }, size))))
