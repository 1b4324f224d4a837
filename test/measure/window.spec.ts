/** Measures and asserts nothing but that there was something to measure: `npm run measure`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, expect, type Page } from '@playwright/test'
import { firstSettings, toDocument } from '../../main/storage/settings'
import { addressOf } from '../../simulator/address'
import { startSimulator } from '../../simulator/server'
import { AppBench, connectionVariables } from '../support/app-bench'

const rows = 1_000
const spanMs = 15_000

interface Frames {
  count: number
  p50: number
  p95: number
  p99: number
  longest: number
  /** Share of frames that took longer than 20 ms. */
  late: number
}

/** Counts frames in the page for a while. */
async function frames(page: Page): Promise<Frames> {
  const times = await page.evaluate<number[]>(`new Promise((done) => {
    const taken = []
    let last = performance.now()
    const endMs = last + ${spanMs}
    const step = (nowMs) => {
      taken.push(nowMs - last)
      last = nowMs
      if (nowMs < endMs) requestAnimationFrame(step)
      else done(taken.slice(1))
    }
    requestAnimationFrame(step)
  })`)
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  const late = sorted.filter((ms) => ms > 20).length / sorted.length
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: sorted.at(-1) ?? 0, late }
}

function report(what: string, { count, p50, p95, p99, longest, late }: Frames): void {
  const ms = (value: number) => value.toFixed(1).padStart(6)
  const columns = [String(count).padStart(5), ms(p50), ms(p95), ms(p99), ms(longest), `${(late * 100).toFixed(1)} %`]
  process.stdout.write(`${what.padEnd(28)} ${columns.join('  ')}\n`)
}

test('frames of a list of a thousand indices that tick each second', async () => {
  test.setTimeout(300_000)
  const simulator = await startSimulator({})
  const bench = await AppBench.create()
  try {
    const entries = Array.from({ length: rows }, (_, at) => ({
      id: `LOAD${String(at + 1).padStart(4, '0')}`,
      maxResolution: 'PER_SECOND' as const,
    }))
    const settings = { ...firstSettings(), watchlists: [{ id: 'watchlist', name: 'Load', entries }] }
    await mkdir(bench.userData, { recursive: true })
    await writeFile(join(bench.userData, 'settings.json'), JSON.stringify(toDocument(settings)))
    const { watch } = await bench.launch([], connectionVariables(addressOf(simulator)))
    const { page } = await watch()
    await expect(page.locator('[data-index="LOAD0001"] [data-value]')).toBeVisible({ timeout: 60_000 })
    // The short past of a thousand indices is fetched one by one.
    await page.waitForTimeout(20_000)
    process.stdout.write(`\n${'what'.padEnd(28)} frames     p50     p95     p99     max  over 20 ms\n`)
    report('ticking', await frames(page))
    const table = page.getByRole('table', { name: 'Load' })
    await table.hover()
    const scrolling = setInterval(() => void page.mouse.wheel(0, 120), 50)
    report('ticking and scrolled', await frames(page))
    clearInterval(scrolling)
    await page.keyboard.press('Control+k')
    const typing = page.getByRole('combobox').pressSequentially('bitcoin real time '.repeat(8), { delay: 90 })
    report('ticking and typed into', await frames(page))
    await typing
    process.stdout.write(
      `rows in the document: ${await page.getByRole('table', { name: 'Load' }).locator('tbody tr').count()}\n`,
    )
  } finally {
    await bench.dispose()
    await simulator.close()
  }
})
