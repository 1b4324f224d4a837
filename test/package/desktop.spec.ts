import { execFile, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { chromium, expect, test, type BrowserContext } from '@playwright/test'
import { user, type CleanSystem } from '../support/clean-system'
import { ended, family, OpenDesktop } from '../support/installed-app'
import { Keyring } from '../support/keyring'
import { RealDesktop } from '../support/real-desktop'
import { addressOf } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'
import { filesWith, secretForms } from '../support/secret-scan'
import { packageOf, systemForDeb, title } from '../support/test-build'
import { WatchPage } from '../support/watch-page'

const run = promisify(execFile)
/** Position of the tray icon in the panel, which holds no other icon. */
const icon = { x: 26, y: 886 }

test.describe('the deb on a desktop with a real panel, notifications and a keyring', () => {
  let desktop: OpenDesktop
  let real: RealDesktop
  let system: CleanSystem
  let profile: string
  const apps: ChildProcessWithoutNullStreams[] = []

  const enter = (command: string[], env: Record<string, string> = {}) => {
    const app = system.start(command, { env: { ...desktop.variables, ...env } })
    app.stdout.resume()
    app.stderr.resume()
    apps.push(app)
    return app
  }
  const start = (args: string[], env: Record<string, string> = {}) =>
    enter(['/usr/bin/indexwatch', ...args], { XDG_CURRENT_DESKTOP: 'XFCE', ...env })
  const quit = async (app: ChildProcessWithoutNullStreams) => {
    for (const pid of (await family(app.pid ?? 0)).keys()) await run('kill', [String(pid)]).catch(() => undefined)
    await ended(app)
  }
  /** Starts the app with a debugging port for its page. */
  const startOpen = async (
    ...args: string[]
  ): Promise<{ app: ChildProcessWithoutNullStreams; pages: BrowserContext }> => {
    const port = join(profile, 'DevToolsActivePort')
    await rm(port, { force: true })
    const app = start([...args, '--remote-debugging-port=0'], { INDEXWATCH_DEV: '1' })
    const address = async () => (await readFile(port, 'utf8').catch(() => '')).split('\n')
    await expect.poll(async () => (await address()).length).toBeGreaterThan(1)
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${(await address())[0] ?? ''}`)
    const [pages] = browser.contexts()
    if (pages === undefined) throw new Error('there is nothing to look into')
    return { app, pages }
  }
  const watchOf = async (pages: BrowserContext) =>
    new WatchPage(pages.pages()[0] ?? (await pages.waitForEvent('page', { timeout: 60_000 })))

  test.beforeAll(async () => {
    desktop = await OpenDesktop.create({ hasNotifications: false, hasTray: false })
    real = await RealDesktop.start(desktop.environment)
    system = await systemForDeb(desktop.folder)
    await system.install(await packageOf('deb'))
    profile = join(system.root, 'home', user, '.config', 'Indexwatch')
  })
  test.afterEach(async () => {
    for (const app of apps.splice(0)) if (app.exitCode === null && app.signalCode === null) await quit(app)
  })
  test.afterAll(async () => {
    await real.stop()
    await desktop.stop()
    await system.dispose()
  })

  test('has an icon in the panel: a click opens the window, its menu quits the app', async () => {
    const app = start(['--hidden'])
    await expect.poll(() => real.trayItems()).toHaveLength(1)
    const [item = ''] = await real.trayItems()
    await expect.poll(() => real.trayTooltip(item)).toMatch(/^Indexwatch: Live.*\n\S+ [\d,.]+ at /)
    expect(await desktop.hasWindow(title)).toBe(false)
    await desktop.click(icon.x, icon.y)
    await desktop.window(title)
    await desktop.painted()
    // Quit is the last item of the menu. Keys pressed before the panel has opened the menu are lost.
    await expect(async () => {
      await desktop.type('Escape')
      await desktop.click(icon.x, icon.y, 3)
      await desktop.type('Up', 'Return')
      await expect.poll(() => app.exitCode, { timeout: 5_000 }).toBe(0)
    }).toPass()
    await expect.poll(() => real.trayItems()).toEqual([])
  })

  test('shows an alert by the real notification daemon, and a click on it opens its index', async () => {
    const { pages } = await startOpen()
    const watch = await watchOf(pages)
    await watch.expectState('Live')
    const draft = {
      indexId: 'BRTI',
      terms: { condition: 'isAbove', level: '1' },
      repeat: { mode: 'once' },
      severity: 'normal',
    } as const
    expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'fire' })).toMatchObject({ ok: true })
    await expect.poll(() => real.shown).toContain("summary: 'Demo · BRTI is above 1: ")
    expect(real.shown).toContain("desktop_entry: 'org.indexwatch.Indexwatch'")
    await real.click()
    await expect(watch.page.getByRole('button', { name: 'Close BRTI' })).toBeVisible()
  })

  test('opens a link from the desktop, and an alert in it is filled in but not saved', async () => {
    const link = 'indexwatch://alert/new?index=BRTI&level=68500.00'
    const levels = () => {
      const history = new DatabaseSync(join(profile, 'tape-demo.db'), { readOnly: true })
      const rules = history.prepare('SELECT document FROM rule').all()
      history.close()
      return rules.map(({ document }) => String(document)).filter((text) => text.includes('68500.00'))
    }
    const cold = enter(['xdg-open', link])
    await desktop.window(title)
    await desktop.painted()
    expect(levels()).toEqual([])
    // The dialog saves nothing until Enter is pressed.
    await expect(async () => {
      await desktop.press(title, 'Return')
      expect(levels()).toHaveLength(1)
    }).toPass()
    await quit(cold)
  })

  test('opens a link when hidden, and follows another while it is open', async () => {
    const { pages } = await startOpen('--hidden')
    expect(pages.pages()).toEqual([])
    const opened = watchOf(pages)
    expect(await ended(enter(['xdg-open', 'indexwatch://index/ETHUSD_RTI']))).toBe(0)
    const { page } = await opened
    await expect(page.getByRole('button', { name: 'Close ETHUSD_RTI' })).toBeVisible()
    expect(await ended(enter(['xdg-open', 'indexwatch://alert/new?index=BRTI&level=70000.5']))).toBe(0)
    await expect(page.getByRole('dialog', { name: 'New alert' }).getByLabel('Level')).toHaveValue('70,000.5')
  })

  test('keeps a key in the keyring and asks for it while the keyring is locked or gone', async () => {
    const service = await ScriptedService.start()
    const { ws, rest, keyId, keySecret } = addressOf(service)
    let keyring: Keyring | undefined
    try {
      const first = await startOpen()
      const asked = await watchOf(first.pages)
      await asked.expectState('Demo')
      const mine = { id: 'mine', name: 'Mine', auth: 'basic', isEnabled: true, keyId } as const
      const saved = { profile: { ...mine, webSocketUrl: ws, restUrl: rest }, keySecret }
      expect(await asked.ask('saveProfile', saved)).toEqual({ ok: true, value: { kept: 'session' } })
      await expect(asked.connection).toHaveText('Live')
      await quit(first.app)
      expect(await filesWith(profile, secretForms(keyId, keySecret))).toEqual([])

      keyring = await Keyring.start(desktop.environment)
      const second = await startOpen()
      const again = await watchOf(second.pages)
      await again.expectState('the key is not available')
      expect(await again.ask('saveProfile', saved)).toEqual({ ok: true, value: { kept: 'keyring' } })
      await expect(again.connection).toHaveText('Live')
      await quit(second.app)
      const kept = await readFile(join(profile, 'secret.json'), 'utf8')
      expect(kept).toContain('gnome_libsecret')

      await keyring.stop()
      for (const isLocked of [true, false]) {
        if (isLocked) keyring = await Keyring.start(desktop.environment, { isUnlocked: false })
        const without = await startOpen()
        const page = await watchOf(without.pages)
        await page.expectState('the key is not available')
        await expect(page.page.getByText('Enter it again in Settings')).toBeVisible()
        await quit(without.app)
        expect(await readFile(join(profile, 'secret.json'), 'utf8')).toBe(kept)
        await keyring.stop()
      }

      keyring = await Keyring.start(desktop.environment)
      const last = await startOpen()
      await expect((await watchOf(last.pages)).connection).toHaveText('Live')
      await quit(last.app)
    } finally {
      await keyring?.stop()
      await service.stop()
      await rm(join(profile, 'settings.json'), { force: true })
    }
  })

  test('leaves settings of a newer version unchanged, and says so', async () => {
    const newer = '{"version":999,"watchlists":"in a form to come"}'
    await mkdir(profile, { recursive: true })
    const file = join(profile, 'settings.json')
    await writeFile(file, newer)
    // So that this test runs alone, too.
    await run('chown', ['-R', '1000:1000', join(system.root, 'home', user)])
    const { app, pages } = await startOpen()
    const watch = await watchOf(pages)
    await expect(watch.notices).toContainText('The settings were written by a newer version of Indexwatch')
    await watch.expectState('a newer version of Indexwatch wrote the settings')
    await quit(app)
    expect(await readFile(file, 'utf8')).toBe(newer)
  })
})
