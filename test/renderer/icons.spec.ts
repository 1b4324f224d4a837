import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, openWindow, test } from './window-page'

const resources = join(import.meta.dirname, '../../resources')

/** The part of the plain icon's line that another tray icon covers or cuts, from 0 to 1. */
function coveredPart(page: Page, plain: string, other: string): Promise<number> {
  const [first, second] = [plain, other].map((name) =>
    readFileSync(join(resources, 'icons', `${name}@2x.png`)).toString('base64'),
  )
  return page.evaluate<number>(`(async () => {
    const pixelsOf = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      context.drawImage(image, 0, 0)
      return context.getImageData(0, 0, image.width, image.height).data
    }
    const plain = await pixelsOf('${first ?? ''}')
    const other = await pixelsOf('${second ?? ''}')
    // The line is white on blue, or black on a transparent background.
    const isLine = (at) => plain[at + 3] > 200 && (plain[at] > 200 || plain[at + 2] < 50)
    const line = Array.from({ length: plain.length / 4 }, (_, at) => 4 * at).filter(isLine)
    const isCovered = (at) => [0, 1, 2, 3].some((part) => Math.abs(plain[at + part] - other[at + part]) > 8)
    return line.length === 0 ? 1 : line.filter(isCovered).length / line.length
  })()`)
}

test('the marks of the tray icon never cover the line of the pulse', { tag: '@deep' }, async ({ page }) => {
  await openWindow(page)
  for (const kind of ['', 'Template']) {
    for (const marks of ['unread', 'muted', 'unread-muted']) {
      expect(await coveredPart(page, `tray-live${kind}`, `tray-live-${marks}${kind}`)).toBe(0)
    }
  }
  // The control: an icon with another line covers most of it.
  expect(await coveredPart(page, 'tray-live', 'tray-off')).toBeGreaterThan(0.5)
})

test(
  'the line of the logo ends at the height where it starts, and the window shows the logo',
  { tag: '@deep' },
  async ({ page }) => {
    await openWindow(page)
    const mark = readFileSync(join(resources, 'mark.svg'), 'utf8')
    const [, line = 'none', start, end] = /<path d="(M[\d.]+ ([\d.]+)H.* ([\d.]+)H[\d.]+)"/.exec(mark) ?? []
    expect(start).toBeDefined()
    expect(end).toBe(start)
    const source = await page.locator('header img').first().getAttribute('src')
    expect(decodeURIComponent(source ?? '')).toContain(line)
  },
)
