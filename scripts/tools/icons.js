// @ts-check
// node tools/icons.js: draws every icon from resources/mark.svg in the tests' Chromium. The results are committed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { projectRoot } from '../setup/processes.js'

const mark = readFileSync(join(projectRoot, 'resources', 'mark.svg'), 'utf8')
const line = /<path d="([^"]+)"/.exec(mark)?.[1]
if (line === undefined) throw new Error('resources/mark.svg has no line')

/** @typedef {{ size: number, png: Buffer, rgba: Buffer }} Picture */

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage()

/** Draws `svg` and returns the file and its pixels. Runs inside the page. */
const drawInPage = `async (svg, size) => {
  const image = new Image(size, size)
  image.src = 'data:image/svg+xml,' + encodeURIComponent(svg.replace('<svg ', '<svg width="' + size + '" height="' + size + '" '))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0, size, size)
  const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return [canvas.toDataURL().split(',')[1], base64(context.getImageData(0, 0, size, size).data)]
}`

/** @param {string} svg @param {number} size in pixels @returns {Promise<Picture>} */
async function drawn(svg, size) {
  const texts = await page.evaluate(`(${drawInPage})(${JSON.stringify(svg)}, ${size})`)
  const [png, rgba] = /** @type {[string, string]} */ (texts)
  return { size, png: Buffer.from(png, 'base64'), rgba: Buffer.from(rgba, 'base64') }
}

/** @param {string} svg @param {number} size in pixels @param {string} file */
async function draw(svg, size, file) {
  writeFileSync(file, (await drawn(svg, size)).png)
}

/** @param {string} colour @param {string} [more] attributes */
function stroke(colour, more = '') {
  const shape = 'fill="none" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"'
  return `<path d="${line}" stroke="${colour}" ${shape} ${more}/>`
}

/** The tray icon by connection state. The shapes differ, not only the colours. */
const tiles = {
  live: `<rect x="1" y="1" width="22" height="22" rx="5.5" fill="#1a5fd0"/>${stroke('#fff')}`,
  waiting: `<rect x="2" y="2" width="20" height="20" rx="4.5" fill="none" stroke="#c98a12" stroke-width="2" stroke-dasharray="7.2 3"/>${stroke('#c98a12')}`,
  off: `<rect x="2" y="2" width="20" height="20" rx="4.5" fill="none" stroke="#7d8796" stroke-width="2"/><path d="M6.5 6.5 17.5 17.5" stroke="#7d8796" stroke-width="2.6" stroke-linecap="round"/>`,
}
/** The same in black and transparent for macOS. The menu bar colours them. */
const templates = {
  live: stroke('#000'),
  waiting: stroke('#000', 'stroke-dasharray="3.2 3.4"'),
  off:
    '<path d="M4 4 20 20" stroke="#000" stroke-width="2.6" stroke-linecap="round"/>' + stroke('#000', 'opacity="0.55"'),
}

/**
 * A badge in a corner, beside the line, with clear space around it on any panel.
 * @param {string} id
 * @param {{ x: number, y: number, r: number, drawn: string }} badge
 */
function badgeOn(id, { x, y, r, drawn }) {
  const mask = `<mask id="${id}"><rect width="24" height="24" fill="#fff"/><circle cx="${x}" cy="${y}" r="${r + 1.2}" fill="#000"/></mask>`
  return { mask, drawn: `<circle cx="${x}" cy="${y}" r="${r}" fill="currentColor"/>${drawn}` }
}

/** @param {string} tile @param {boolean} hasUnread @param {boolean} isMuted @param {boolean} isTemplate */
function trayIcon(tile, hasUnread, isMuted, isTemplate) {
  const badges = []
  if (hasUnread)
    badges.push({
      colour: isTemplate ? '#000' : '#e5484d',
      ...badgeOn('unread', { x: 19.2, y: 4.8, r: 4.4, drawn: '' }),
    })
  if (isMuted)
    badges.push({
      colour: isTemplate ? '#000' : '#5b6472',
      ...badgeOn('muted', {
        x: 4.9,
        y: 19.1,
        r: 4.6,
        drawn: isTemplate ? '' : '<path d="M3 21 6.8 17.2" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/>',
      }),
    })
  const masked = badges.reduce(
    (inner, _, index) => `<g mask="url(#${index === 0 && hasUnread ? 'unread' : 'muted'})">${inner}</g>`,
    tile,
  )
  const drawn = badges.map(({ colour, drawn: shape }) => `<g color="${colour}">${shape}</g>`).join('')
  const masks = badges.map(({ mask }) => mask).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><defs>${masks}</defs>${masked}${drawn}</svg>`
}

/** @param {string} folder */
function emptied(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** @param {boolean} isTemplate @param {number} size in points @param {string} folder */
async function drawTray(isTemplate, size, folder) {
  for (const [connection, tile] of Object.entries(isTemplate ? templates : tiles))
    for (const unread of ['', '-unread'])
      for (const muted of ['', '-muted'])
        for (const scale of [1, 1.5, 2]) {
          const suffix = scale === 1 ? '' : `@${scale}x`
          const name = `tray-${connection}${unread}${muted}${isTemplate ? 'Template' : ''}${suffix}.png`
          await draw(trayIcon(tile, unread !== '', muted !== '', isTemplate), size * scale, join(folder, name))
        }
}

/**
 * A picture in the older icon format, which small sizes still use: rows from the bottom, then a mask.
 * @param {Picture} picture
 */
function bitmapOf({ size, rgba }) {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(size, 4)
  header.writeInt32LE(2 * size, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  const rows = Array.from({ length: size }, (_, at) =>
    rgba.subarray((size - 1 - at) * size * 4, (size - at) * size * 4),
  )
  const pixels = Buffer.concat(rows)
  for (let at = 0; at < pixels.length; at += 4) pixels.subarray(at, at + 3).reverse()
  return Buffer.concat([header, pixels, Buffer.alloc(size * 4 * Math.ceil(size / 32))])
}

/** @param {readonly Picture[]} pictures */
function icoOf(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  const files = pictures.map((picture) => (picture.size < 128 ? bitmapOf(picture) : picture.png))
  for (const [at, { size }] of pictures.entries()) {
    const entry = head.subarray(6 + 16 * at)
    const length = files[at]?.length ?? 0
    // 0 means 256.
    entry.writeUInt8(size % 256, 0)
    entry.writeUInt8(size % 256, 1)
    entry.writeUInt16LE(1, 4)
    entry.writeUInt16LE(32, 6)
    entry.writeUInt32LE(length, 8)
    entry.writeUInt32LE(offset, 12)
    offset += length
  }
  return Buffer.concat([head, ...files])
}

/** Types and sizes of the parts of an icns file. The small ones are for a scale of 2. */
const icnsTypes = /** @type {const} */ ([
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
])

/** @param {string} name @param {Buffer} content */
function icnsPart(name, content) {
  const head = Buffer.from(`${name}\0\0\0\0`)
  head.writeUInt32BE(8 + content.length, 4)
  return Buffer.concat([head, content])
}

const icons = emptied(join(projectRoot, 'resources', 'icons'))
await drawTray(false, 22, icons)
await drawTray(true, 18, icons)
for (const size of [64, 128]) await draw(mark, size, join(icons, `app-${size}.png`))

const build = join(projectRoot, 'resources', 'build')
const sizes = [16, 24, 32, 48, 64, 96, 128, 256, 512]
const linux = emptied(join(build, 'icons'))
for (const size of sizes) await draw(mark, size, join(linux, `${size}x${size}.png`))

const pictures = await Promise.all([16, 24, 32, 48, 64, 128, 256].map((size) => drawn(mark, size)))
writeFileSync(join(build, 'icon.ico'), icoOf(pictures))
// macOS leaves a margin around every icon.
const inset = mark.replace('viewBox="0 0 24 24"', 'viewBox="-1.4 -1.4 26.8 26.8"')
const parts = await Promise.all(icnsTypes.map(async ([name, size]) => icnsPart(name, (await drawn(inset, size)).png)))
writeFileSync(join(build, 'icon.icns'), icnsPart('icns', Buffer.concat(parts)))
await browser.close()
