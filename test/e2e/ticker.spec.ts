import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { DesktopApi } from '../../protocol/commands/contract'
import type { RunningApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'

interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

const isTicker = (page: Page) => page.url().startsWith('app://ticker/')

async function tickerPage({ app }: RunningApp): Promise<Page> {
  const open = app.windows().find(isTicker)
  return open ?? app.waitForEvent('window', isTicker)
}

function bounds({ app }: RunningApp): Promise<Bounds | undefined> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.title.includes('icker'))
      ?.getBounds(),
  )
}

/** Moves the ticker like a window manager does for a drag. */
function drag({ app }: RunningApp, to: { x: number; y: number }): Promise<void> {
  return app.evaluate(({ BrowserWindow }, { x, y }) => {
    BrowserWindow.getAllWindows()
      .find((window) => window.title.includes('icker'))
      ?.setPosition(x, y)
  }, to)
}

test(
  'the ticker opens from the tray, floats, and comes back where it was',
  { tag: '@deep' },
  async ({ bench, service }) => {
    const { running, watch } = await bench.launchLive(addressOf(service))
    await bench.peer.nextTrayItem()
    await expect.poll(async () => (await bench.peer.trayMenu()).map(({ label }) => label)).toContain('Show ticker')
    const opening = tickerPage(running)
    await bench.peer.clickMenu('Show ticker')
    const ticker = await opening
    const row = ticker.locator('[data-index="BRTI"]')
    service.sendValue('BRTI', '79767.340', Date.now())
    await expect(row.locator('[data-value]')).toHaveText('79,767.340')
    await expect(row).not.toHaveClass(/dimmed/)
    const isOnTop = () =>
      running.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find((window) => window.title.includes('icker'))
          ?.isAlwaysOnTop(),
      )
    expect(await isOnTop()).toBe(true)
    const handle = await running.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((window) => window.title.includes('icker'))
        ?.getNativeWindowHandle()
        .readUInt32LE(),
    )
    const { stdout: type } = await promisify(execFile)('xprop', ['-id', String(handle), '_NET_WM_WINDOW_TYPE'], {
      env: bench.environment(),
    })
    expect(type).toContain('_NET_WM_WINDOW_TYPE_TOOLBAR')

    // The ticker is as large as its content, at the top right of the screen.
    const content = await ticker.locator('main').boundingBox()
    await expect.poll(async () => (await bounds(running))?.height).toBe(Math.ceil(content?.height ?? 0))
    const first = await bounds(running)
    const { width: screenWidth } = await running.app.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea)
    expect((first?.x ?? 0) + (first?.width ?? 0)).toBe(screenWidth - 16)

    // Released near an edge, the ticker snaps to it and the place is stored.
    await drag(running, { x: 9, y: 200 })
    await expect.poll(() => bounds(running)).toMatchObject({ x: 0, y: 200 })
    await expect.poll(() => readFile(join(bench.userData, 'ticker.json'), 'utf8')).toMatch(/"y":\s*200/)

    // The ticker may call only its own commands. The window may call none of them.
    const asked = await ticker.evaluate(async () => {
      const { indexwatch } = globalThis as unknown as { indexwatch: DesktopApi }
      return [await indexwatch.getSnapshot({}), await indexwatch.setPreferences({ theme: 'dark' })]
    })
    expect(asked).toMatchObject([{ problem: { code: 'forbidden' } }, { problem: { code: 'forbidden' } }])
    expect(await watch.ask('getTickerSnapshot', {})).toMatchObject({ problem: { code: 'forbidden' } })
    const sent = await ticker.evaluate(async () => {
      const { indexwatch } = globalThis as unknown as { indexwatch: DesktopApi }
      return JSON.stringify(await indexwatch.getTickerSnapshot({}))
    })
    expect(sent).not.toContain('webSocketUrl')

    // A double click opens the index in the window.
    await row.dblclick()
    await expect(watch.page.getByRole('button', { name: 'Close BRTI' })).toBeVisible()

    // The window's zoom does not change the ticker.
    await running.app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows().find((each) => !each.title.includes('icker'))
      window?.webContents.setZoomFactor(2)
    })
    expect(await ticker.evaluate('devicePixelRatio')).toBe(1)

    // The shortcut is registered while it is set. A shortcut that another program holds is reported.
    const isHeld = (keys: string) =>
      running.app.evaluate(({ globalShortcut }, each) => globalShortcut.isRegistered(each), keys)
    await watch.ask('setPreferences', { showShortcut: 'Ctrl+Alt+I' })
    await expect.poll(() => isHeld('Ctrl+Alt+I')).toBe(true)
    await running.app.evaluate(({ globalShortcut }) => globalShortcut.register('Alt+Shift+I', () => undefined))
    await watch.ask('setPreferences', { showShortcut: 'Alt+Shift+I' })
    await expect(watch.notices).toContainText('Alt+Shift+I is not available')
    expect(await isHeld('Ctrl+Alt+I')).toBe(false)

    // Without its service nothing looks live.
    await service.stop()
    await expect(ticker.getByRole('status', { name: 'Connection' })).toContainText('Reconnecting')
    await expect(row).toHaveClass(/dimmed/)

    await running.quit()
    const again = await bench.launch(['--hidden'])
    const reopened = await tickerPage(again)
    await expect(reopened.getByRole('status', { name: 'Connection' })).toContainText('Demo')
    await expect.poll(() => bounds(again)).toMatchObject({ x: 0, y: 200 })
    // The click closes the page, so Playwright may get no answer to it. A timer in the page clicks instead.
    await reopened.getByRole('button', { name: 'Close ticker' }).evaluate((button) => {
      setTimeout(() => {
        if ('click' in button) button.click()
      })
    })
    await expect.poll(() => bounds(again)).toBeUndefined()
    expect([...running.pageErrors, ...again.pageErrors]).toEqual([])
  },
)
