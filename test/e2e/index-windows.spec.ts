import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { DesktopApi } from '../../protocol/commands/contract'
import { connectionVariables, type RunningApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'

const isOf = (id: string) => (page: Page) => page.url().endsWith(`/index-window.html?id=${id}`)

async function windowOf({ app }: RunningApp, id: string): Promise<Page> {
  return app.windows().find(isOf(id)) ?? app.waitForEvent('window', isOf(id))
}

/** The native window of an index. `title` begins with its id. */
function boundsOf({ app }: RunningApp, id: string) {
  return app.evaluate(
    ({ BrowserWindow }, title) =>
      BrowserWindow.getAllWindows()
        .find((window) => window.getTitle().startsWith(title))
        ?.getBounds(),
    id,
  )
}

test('an index opens in a window of its own, gets its values, and comes back after a restart', async ({
  bench,
  service,
}) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  service.sendValue('BRTI', '79767.340', Date.now())
  await watch.expectValue('BRTI', '79767.340', '79,767.340')
  const opening = windowOf(running, 'BRTI')
  await watch.row('BRTI').focus()
  await watch.page.keyboard.press('Shift+Enter')
  const page = await opening
  const value = page.locator('.latest [data-value]').first()
  await expect(value).toHaveAttribute('data-value', '79767.340')
  service.sendValue('BRTI', '79768.120', Date.now())
  await expect(value).toHaveAttribute('data-value', '79768.120')
  await expect.poll(() => page.title()).toBe('BRTI 79,768.120')
  expect(watch.page.url()).not.toContain('BRTI')

  // It may ask only for what an index page needs, and has only its own index.
  const asked = await page.evaluate(async () => {
    const { indexwatch } = globalThis as unknown as { indexwatch: DesktopApi }
    const snapshot = await indexwatch.getIndexSnapshot({ indexId: 'BRTI' })
    const refusals = [await indexwatch.getSnapshot({}), await indexwatch.restart({})]
    return { refusals, text: snapshot.ok ? String(snapshot.value) : '' }
  })
  expect(asked.refusals).toMatchObject([{ problem: { code: 'forbidden' } }, { problem: { code: 'forbidden' } }])
  const { quotes } = JSON.parse(asked.text) as { quotes: { id: string }[] }
  expect(quotes.map(({ id }) => id)).toEqual(['BRTI'])
  expect(await watch.ask('getIndexSnapshot', { indexId: 'BRTI' })).toMatchObject({ problem: { code: 'forbidden' } })

  // Moved and resized by the user, as a window manager does it.
  await running.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.getTitle().startsWith('BRTI'))
      ?.setBounds({ x: 120, y: 90, width: 500, height: 420 }),
  )
  await expect
    .poll(() => readFile(join(bench.userData, 'index-windows.json'), 'utf8').catch(() => ''))
    .toMatch(/"width":\s*500/)
  await running.quit()

  const again = await bench.launch([], connectionVariables(addressOf(service)))
  const restored = await windowOf(again, 'BRTI')
  await expect(restored.getByRole('heading', { level: 1, name: 'BRTI' })).toBeVisible()
  expect(await boundsOf(again, 'BRTI')).toMatchObject({ x: 120, y: 90, width: 500, height: 420 })

  // Escape closes it, also for the next start. A timer presses it, because the page may be gone before an answer.
  const closed = restored.waitForEvent('close')
  await restored.evaluate(() => {
    setTimeout(() => globalThis.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })))
  })
  await closed
  await expect.poll(() => readFile(join(bench.userData, 'index-windows.json'), 'utf8')).toMatch(/"open":\s*\[\]/)
  expect([...running.pageErrors, ...again.pageErrors]).toEqual([])
})

test('a ninth window is refused with what to do, and a hidden one gets no values', async ({ bench, service }) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  const ids = (await watch.ids()).slice(0, 9)
  expect(ids).toHaveLength(9)
  for (const indexId of ids.slice(0, 8)) {
    const opening = windowOf(running, indexId)
    expect(await watch.ask('openIndexWindow', { indexId })).toEqual({ ok: true, value: null })
    await opening
  }
  const [first = '', ...others] = ids
  await watch.row(others.at(-1) ?? '').focus()
  await watch.page.keyboard.press('Shift+Enter')
  await expect(watch.page.getByRole('group', { name: 'Message' })).toContainText(
    '8 indices are open in windows of their own. Close one of these windows first.',
  )
  // One that is open already is shown again.
  expect(await watch.ask('openIndexWindow', { indexId: first })).toEqual({ ok: true, value: null })

  const page = await windowOf(running, first)
  const shows = (value: string) =>
    expect(page.locator('.latest [data-value]').first()).toHaveAttribute('data-value', value)
  service.sendValue(first, '100.00', Date.now())
  await shows('100.00')
  await page.evaluate(() => {
    const { indexwatch } = globalThis as unknown as { indexwatch: DesktopApi }
    Object.assign(globalThis, { pushes: 0 })
    indexwatch.onUpdate(() => {
      const counted = globalThis as unknown as { pushes: number }
      counted.pushes++
    })
  })
  const pushes = () => page.evaluate(() => (globalThis as unknown as { pushes: number }).pushes)
  service.sendValue(first, '101.00', Date.now())
  await shows('101.00')
  expect(await pushes()).toBeGreaterThan(0)
  const turn = (isShown: boolean) =>
    running.app.evaluate(
      ({ BrowserWindow }, [title, isShown]) => {
        const window = BrowserWindow.getAllWindows().find((each) => each.getTitle().startsWith(title))
        if (isShown) window?.showInactive()
        else window?.hide()
      },
      [`${first} `, isShown] as const,
    )
  await turn(false)
  const before = await pushes()
  // Both windows collect a push equally long. So a push to the hidden one would arrive before the other shows its value.
  const [second = ''] = others
  service.sendValue(first, '102.00', Date.now())
  service.sendValue(second, '200.00', Date.now())
  const other = await windowOf(running, second)
  await expect(other.locator('.latest [data-value]').first()).toHaveAttribute('data-value', '200.00')
  expect(await pushes()).toBe(before)
  await turn(true)
  await shows('102.00')
  expect(await pushes()).toBeGreaterThan(before)
  expect(running.pageErrors).toEqual([])
})
