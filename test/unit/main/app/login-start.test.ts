import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { desktopEntry, LoginStart } from '../../../../main/app/login-start'
import { temporaryFolder } from '../../../support/temporary-folder'

const command = ['/opt/Indexwatch/indexwatch', '--hidden']

function start(
  platform: NodeJS.Platform,
  { configHome, isItem = false }: { configHome?: string; isItem?: boolean } = {},
) {
  const home = temporaryFolder()
  const items: unknown[] = []
  const app = {
    isPackaged: true,
    getAppPath: () => '',
    getPath: () => home,
    getLoginItemSettings: () => ({ openAtLogin: isItem, executableWillLaunchAtLogin: isItem }) as never,
    setLoginItemSettings: (item: object) => void items.push(item),
  }
  const env = configHome === undefined ? {} : { XDG_CONFIG_HOME: configHome.replace('HOME', home) }
  const loginStart = new LoginStart(app, { platform, env, execPath: '/opt/Indexwatch/indexwatch' })
  const path = join(home, '.config', 'autostart', 'indexwatch.desktop')
  const put = (entry: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, entry)
  }
  return { loginStart, items, home, path, put }
}

test.each([
  [undefined, '.config'],
  ['HOME/conf', 'conf'],
  ['relative', '.config'],
  ['', '.config'],
])('on Linux with %j an entry is written and removed', async (configHome, folder) => {
  const { loginStart, home } = start('linux', { configHome })
  const path = join(home, folder, 'autostart', 'indexwatch.desktop')
  await loginStart.apply(true)
  expect(readFileSync(path, 'utf8')).toBe(desktopEntry(command))
  await loginStart.apply(false)
  expect(existsSync(path)).toBe(false)
  await loginStart.apply(false)
})

test.each(['darwin', 'win32'] as const)('on %s the system is called', async (platform) => {
  const { loginStart, items } = start(platform)
  await loginStart.apply(true)
  await loginStart.apply(false)
  const item = { path: '/opt/Indexwatch/indexwatch', args: ['--hidden'] }
  expect(items).toEqual([
    { openAtLogin: true, ...item },
    { openAtLogin: false, ...item },
  ])
})

test('an entry is complete, and its command is quoted if needed', () => {
  expect(desktopEntry(['/a/b', '--hidden'])).toBe(
    '[Desktop Entry]\nType=Application\nName=Indexwatch\nComment=Watches index values from the tray\nTryExec=/a/b\nExec=/a/b --hidden\nTerminal=false\nX-GNOME-Autostart-enabled=true\n',
  )
  expect(desktopEntry(['/my apps/100%/a$b'])).toContain(String.raw`Exec="/my apps/100%%/a\\$b"`)
})

const entry = desktopEntry(command)

test.each([
  ['its own entry', entry, true],
  ['an entry the desktop hid', `${entry}Hidden=true\n`, false],
  ['an entry GNOME switched off', entry.replace('enabled=true', 'enabled=false'), false],
  ['an entry with a line of its user', `${entry}X-GNOME-Autostart-Delay=10\n`, true],
])("with %s the system's state is kept and nothing is written", async (_name, found, isOn) => {
  const { loginStart, path, put } = start('linux')
  put(found)
  expect(await loginStart.adopt()).toBe(isOn)
  expect(readFileSync(path, 'utf8')).toBe(found)
})

test('without an entry it is off, and nothing is written', async () => {
  const { loginStart, path } = start('linux')
  expect(await loginStart.adopt()).toBe(false)
  expect(existsSync(path)).toBe(false)
})

test('rewrites an entry whose program has moved', async () => {
  const { loginStart, path, put } = start('linux')
  put(desktopEntry(['/old/indexwatch', '--hidden']))
  expect(await loginStart.adopt()).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe(entry)
})

test('an entry that cannot be read or written is an error', async () => {
  const { loginStart, path } = start('linux')
  mkdirSync(path, { recursive: true })
  await expect(loginStart.adopt()).rejects.toThrow('a folder')
  await expect(loginStart.apply(true)).rejects.toThrow()
})

test.each(['darwin', 'win32'] as const)('on %s the login items decide whether it is on', async (platform) => {
  expect(await start(platform, { isItem: true }).loginStart.adopt()).toBe(true)
  expect(await start(platform).loginStart.adopt()).toBe(false)
})
