import { expect, test } from 'vitest'
import { desktopEntry, LoginStart } from '../../../../main/desktop/login-start'

function start(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) {
  const done: unknown[] = []
  const answer = Promise.resolve({ ok: true as const, value: null })
  const loginStart = new LoginStart({
    platform,
    env,
    homeFolder: '/home/ada',
    command: ['/opt/Indexwatch/indexwatch'],
    setLoginItem: (item) => done.push(item),
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

test.each(['darwin', 'win32'] as const)('on %s the system is told', async (platform) => {
  const { loginStart, done } = start(platform)
  await loginStart.apply(true)
  await loginStart.apply(false)
  const item = { path: '/opt/Indexwatch/indexwatch', args: ['--hidden'] }
  expect(done).toEqual([
    { openAtLogin: true, ...item },
    { openAtLogin: false, ...item },
  ])
})

test('an entry is whole and its command is quoted where it must be', () => {
  expect(desktopEntry(['/a/b', '--hidden'])).toBe(
    '[Desktop Entry]\nType=Application\nName=Indexwatch\nComment=Watches index values from the tray\nExec=/a/b --hidden\nTerminal=false\nX-GNOME-Autostart-enabled=true\n',
  )
  expect(desktopEntry(['/my apps/100%/a$b'])).toContain(String.raw`Exec="/my apps/100%%/a\\$b"`)
})
