// @ts-check
// node scripts/icons.js: draws every icon from resources/mark.svg; its results are committed. Needs rsvg-convert
// (librsvg2-bin), icotool (icoutils) and png2icns (icnsutils).
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './setup/processes.js'

const mark = readFileSync(join(projectRoot, 'resources', 'mark.svg'), 'utf8')
const line = /<path d="([^"]+)"/.exec(mark)?.[1]
if (line === undefined) throw new Error('resources/mark.svg has no line')

/** @param {string} svg @param {number} size in pixels @param {string} file */
function draw(svg, size, file) {
  execFileSync('rsvg-convert', ['-w', String(size), '-h', String(size), '-o', file], { input: svg })
}

/** @param {string} colour @param {string} [more] attributes */
function stroke(colour, more = '') {
  const shape = 'fill="none" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"'
  return `<path d="${line}" stroke="${colour}" ${shape} ${more}/><circle cx="18.25" cy="8" r="2.4" fill="${colour}"/>`
}

/** The tray's picture by connection: of another shape, not of another colour alone. */
const tiles = {
  live: `<rect x="1" y="1" width="22" height="22" rx="5.5" fill="#1a5fd0"/>${stroke('#fff')}`,
  waiting: `<rect x="2" y="2" width="20" height="20" rx="4.5" fill="none" stroke="#c98a12" stroke-width="2" stroke-dasharray="7.2 3"/>${stroke('#c98a12')}`,
  off: `<rect x="2" y="2" width="20" height="20" rx="4.5" fill="none" stroke="#7d8796" stroke-width="2"/><path d="M6.5 17.5 17.5 6.5" stroke="#7d8796" stroke-width="2.6" stroke-linecap="round"/>`,
}
/** The same without colour, for macOS: black and clear, which the menu bar colours. */
const templates = {
  live: stroke('#000'),
  waiting: stroke('#000', 'stroke-dasharray="3.2 3.4"'),
  off:
    '<path d="M4 4 20 20" stroke="#000" stroke-width="2.6" stroke-linecap="round"/>' + stroke('#000', 'opacity="0.55"'),
}

/** Something in a corner, with clear space around it on any panel. @param {string} id @param {{ x: number, y: number, r: number, drawn: string }} badge */
function badgeOn(id, { x, y, r, drawn }) {
  const mask = `<mask id="${id}"><rect width="24" height="24" fill="#fff"/><circle cx="${x}" cy="${y}" r="${r + 1.3}" fill="#000"/></mask>`
  return { mask, drawn: `<circle cx="${x}" cy="${y}" r="${r}" fill="currentColor"/>${drawn}` }
}

/** @param {string} tile @param {boolean} hasUnread @param {boolean} isMuted @param {boolean} isTemplate */
function trayIcon(tile, hasUnread, isMuted, isTemplate) {
  const badges = []
  if (hasUnread)
    badges.push({ colour: isTemplate ? '#000' : '#e5484d', ...badgeOn('unread', { x: 19, y: 5, r: 4.6, drawn: '' }) })
  if (isMuted)
    badges.push({
      colour: isTemplate ? '#000' : '#5b6472',
      ...badgeOn('muted', {
        x: 18.4,
        y: 18.4,
        r: 5.2,
        drawn: isTemplate
          ? ''
          : '<path d="M16.2 20.6 20.6 16.2" stroke="#fff" stroke-width="1.9" stroke-linecap="round"/>',
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
function drawTray(isTemplate, size, folder) {
  for (const [connection, tile] of Object.entries(isTemplate ? templates : tiles))
    for (const unread of ['', '-unread'])
      for (const muted of ['', '-muted'])
        for (const scale of [1, 1.5, 2]) {
          const suffix = scale === 1 ? '' : `@${scale}x`
          const name = `tray-${connection}${unread}${muted}${isTemplate ? 'Template' : ''}${suffix}.png`
          draw(trayIcon(tile, unread !== '', muted !== '', isTemplate), size * scale, join(folder, name))
        }
}

const icons = emptied(join(projectRoot, 'resources', 'icons'))
drawTray(false, 22, icons)
drawTray(true, 18, icons)
for (const size of [64, 128]) draw(mark, size, join(icons, `app-${size}.png`))

const build = join(projectRoot, 'build')
const sizes = [16, 24, 32, 48, 64, 96, 128, 256, 512]
const linux = emptied(join(build, 'icons'))
for (const size of sizes) draw(mark, size, join(linux, `${size}x${size}.png`))

const temporary = mkdtempSync(join(tmpdir(), 'indexwatch-icons-'))
try {
  // macOS leaves a margin around every icon.
  const inset = mark.replace('viewBox="0 0 24 24"', 'viewBox="-1.4 -1.4 26.8 26.8"')
  /** @param {string} svg @param {number[]} wanted */
  const drawn = (svg, wanted) =>
    wanted.map((size) => {
      const file = join(temporary, `${size}-${svg === mark ? 'full' : 'inset'}.png`)
      draw(svg, size, file)
      return file
    })
  execFileSync('icotool', [
    ...['-c', '-o', join(build, 'icon.ico'), ...drawn(mark, [16, 24, 32, 48, 64])],
    ...drawn(mark, [128, 256]).map((file) => `--raw=${file}`),
  ])
  execFileSync('png2icns', [join(build, 'icon.icns'), ...drawn(inset, [16, 32, 48, 128, 256, 512, 1024])], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
