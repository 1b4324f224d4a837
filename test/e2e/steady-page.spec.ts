import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app-test'

/**
 * What has moved since the page began to load, and from where to where. A part of which one edge stays has only become
 * longer, like the digits that changed.
 */
const shifts = `new Promise((resolve) => {
  const hasMoved = ({ previousRect: from, currentRect: to }) =>
    Math.abs(from.top - to.top) >= 1 || (Math.abs(from.left - to.left) >= 1 && Math.abs(from.right - to.right) >= 1)
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  const part = ({ node, previousRect, currentRect }) =>
    (node?.className ?? node?.parentElement?.className) + ': ' + place(previousRect) + ' to ' + place(currentRect)
  const seen = []
  const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(seen.flatMap(({ sources }) => sources.filter(hasMoved).map(part))))
})`

for (const [width, height] of [
  [1280, 820],
  [900, 600],
] as const) {
  const tag = width > 1180 ? [] : ['@deep']
  test(`at ${width} × ${height} nothing moves at a first start or at ticks`, { tag }, async ({ bench }) => {
    await mkdir(bench.userData, { recursive: true })
    await writeFile(join(bench.userData, 'window.json'), JSON.stringify({ x: 0, y: 0, width, height }))
    const running = await bench.launch(['--demo'])
    const watch = await running.watch()
    const { page } = watch
    await expect(watch.row('BRR')).toContainText(/[▲▼]/)
    const chart = page.getByRole('slider', { name: 'Chart of BRTI' })
    if (width > 1180) {
      await expect(chart).toBeVisible()
      // The chart shows each new value, too.
      const drawn = new Set<string>()
      const summary = () =>
        chart.evaluate((each) => document.getElementById(each.getAttribute('aria-describedby') ?? '')?.textContent)
      await expect.poll(async () => drawn.add((await summary()) ?? '').size).toBeGreaterThan(3)
    }
    const seen = new Set<string | null>()
    await expect
      .poll(async () => seen.add(await watch.row('BRTI').locator('[data-value]').getAttribute('data-value')).size)
      .toBeGreaterThan(8)
    expect(await page.evaluate<string[]>(shifts)).toEqual([])
  })
}
