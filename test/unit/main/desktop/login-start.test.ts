import { expect, test } from 'vitest'
import { desktopEntry, LoginStart } from '../../../../main/desktop/login-start'

function start(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, found?: string) {
  const done: unknown[] = []
  const answer = Promise.resolve({ ok: true as const, value: null })
  const loginStart = new LoginStart({
    platform,
    env,
    homeFolder: '/home/ada',
    command: ['/opt/Indexwatch/indexwatch'],
    setLoginItem: (item) => done.push(item),
    isLoginItem: ({ path, args }) => found === [path, ...args].join(' '),
    read: () => Promise.resolve(found),
    write: (path, text) => {
      done.push(['write', path, text.split('\n').find((line) => line.startsWith('Exec='))])
      return answer
    },
    remove: (path) => {
      done.push(['remove', path])
      return answer
    },
  })
  return { loginStart, done }
}

const exec = 'Exec=/opt/Indexwatch/indexwatch --hidden'

test.each([
  [{}, '/home/ada/.config/autostart/indexwatch.desktop'],
  [{ XDG_CONFIG_HOME: '/conf' }, '/conf/autostart/indexwatch.desktop'],
  [{ XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/autostart/indexwatch.desktop'],
  [{ XDG_CONFIG_HOME: '' }, '/home/ada/.config/autostart/indexwatch.desktop'],
])('on Linux with %j an entry is written and removed', async (env, path) => {
  const { loginStart, done } = start('linux', env)
  await loginStart.apply(true)
  await loginStart.apply(false)
  expect(done).toEqual([
    ['write', path, exec],
    ['remove', path],
  ])
})

test.each(['darwin', 'win32'] as const)('on %s the system is called', async (platform) => {
  const { loginStart, done } = start(platform)
  await loginStart.apply(true)
  await loginStart.apply(false)
  const item = { path: '/opt/Indexwatch/indexwatch', args: ['--hidden'] }
  expect(done).toEqual([
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

const entry = desktopEntry(['/opt/Indexwatch/indexwatch', '--hidden'])

test.each([
  ['no entry', undefined, false],
  ['its own entry', entry, true],
  ['an entry the desktop hid', `${entry}Hidden=true\n`, false],
  ['an entry GNOME switched off', entry.replace('enabled=true', 'enabled=false'), false],
  ['an entry with a line of its user', `${entry}X-GNOME-Autostart-Delay=10\n`, true],
])("with %s the system's state is kept and nothing is written", async (_name, found, isOn) => {
  const { loginStart, done } = start('linux', {}, found)
  expect(await loginStart.adopt()).toBe(isOn)
  expect(done).toEqual([])
})

test('rewrites an entry whose program has moved', async () => {
  const { loginStart, done } = start('linux', {}, desktopEntry(['/old/indexwatch', '--hidden']))
  expect(await loginStart.adopt()).toBe(true)
  expect(done).toEqual([['write', '/home/ada/.config/autostart/indexwatch.desktop', exec]])
})

test.each(['darwin', 'win32'] as const)('on %s the login items decide whether it is on', async (platform) => {
  expect(await start(platform, {}, '/opt/Indexwatch/indexwatch --hidden').loginStart.adopt()).toBe(true)
  expect(await start(platform).loginStart.adopt()).toBe(false)
})
