import { describe, expect, test } from 'vitest'
import {
  appTitle,
  findForeignSwitch,
  foreignSwitchRemedy,
  isWayland,
  readLaunch,
  passwordStore,
  isWritableFolder,
  refusalArguments,
  refusalEnvironment,
  refusalToShow,
  startedVersion,
  textAskedFor,
} from '../../../../main/desktop/launch-options'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const connection = {
  INDEXWATCH_WS_URL: 'ws://127.0.0.1:4000/ws/v4',
  INDEXWATCH_REST_URL: 'http://127.0.0.1:4000',
  INDEXWATCH_KEY_ID: 'id',
  INDEXWATCH_KEY_SECRET: 'secret',
}

function launch(argv: string[] = [], env: Record<string, string> = {}, isPackaged = false) {
  return readLaunch({ argv, env, isPackaged })
}

describe('flags', () => {
  test('are off unless given', () => {
    expect(launch()).toEqual({ ok: true, value: { isDemo: false, isHidden: false } })
  })

  test('are read', () => {
    expect(launch(['electron', '.', '--demo', '--hidden', '--report=/tmp/a.png'])).toEqual({
      ok: true,
      value: { isDemo: true, isHidden: true, reportPath: '/tmp/a.png' },
    })
  })

  test('a packaged app writes no report', () => {
    expect(launch(['--report=/tmp/a.png'], {}, true)).toEqual(launch())
    expect(launch(['--report=/tmp/a.png'], { INDEXWATCH_DEV: '1' }, true)).toEqual(launch(['--report=/tmp/a.png']))
  })
})

describe('a watch without a window', () => {
  test('has its own arguments, and the flags of the app beside them', () => {
    const argv = ['electron', '.', 'watch', '--list', 'My list', '--ids=BRTI, BRR', '--json', '--alerts', '--demo']
    const watch = { lists: ['My list'], ids: ['BRTI', 'BRR'], isJson: true, printsAlerts: true }
    expect(launch(argv)).toEqual({ ok: true, value: { isDemo: true, isHidden: false, watch } })
    expect(launch(['indexwatch', 'watch'], {}, true)).toMatchObject({
      value: { watch: { lists: [], ids: [], isJson: false, printsAlerts: false } },
    })
  })

  test('refuses what it does not know, and names it', () => {
    expect(launch(['electron', '.', 'watch', '--id', 'BRTI'])).toMatchObject({
      problem: { code: 'badArguments', message: expect.stringContaining("'--id'") as string },
    })
    expect(launch(['electron', '.', 'watch', '--ids', 'BRTI,,'])).toMatchObject({
      problem: { message: 'watch --ids: give ids such as BRTI,ETHUSD_RTI.' },
    })
    expect(launch(['electron', '.', 'watch', 'BRTI'])).toMatchObject({ problem: { code: 'badArguments' } })
  })

  test('is all that its arguments are allowed for in a product start', () => {
    const start = { isRoot: false, platform: 'linux' } as const
    expect(findForeignSwitch(['watch', '--json', '--ids', 'BRTI'], start)).toBeUndefined()
    expect(findForeignSwitch(['--json'], start)).toBe('--json')
    expect(findForeignSwitch(['watch', '--log-net-log=a'], start)).toBe('--log-net-log=a')
  })
})

describe('the connection from the environment', () => {
  test('is named Environment', () => {
    expect(launch([], connection)).toMatchObject({
      value: {
        environment: {
          profile: {
            name: 'Environment',
            webSocketUrl: 'ws://127.0.0.1:4000/ws/v4',
            restUrl: 'http://127.0.0.1:4000',
            keyId: 'id',
          },
          keySecret: 'secret',
        },
      },
    })
  })

  test('may say where the assistant tools answer', () => {
    expect(launch([], { ...connection, INDEXWATCH_MCP_URL: 'http://127.0.0.1:4000/mcp' })).toMatchObject({
      value: { environment: { profile: { mcpUrl: 'http://127.0.0.1:4000/mcp' } } },
    })
    expect(JSON.stringify(launch([], connection))).not.toContain('mcpUrl')
    for (const wrong of [{ ...connection, INDEXWATCH_MCP_URL: 'http://tools.example' }, { INDEXWATCH_MCP_URL: 'x' }]) {
      const read = launch([], wrong)
      expect(read.ok ? '' : read.problem.message).toContain('INDEXWATCH_MCP_URL')
    }
  })

  test('works without REST', () => {
    const read = launch([], { ...connection, INDEXWATCH_REST_URL: '' })
    expect(read).toMatchObject({ ok: true })
    expect(JSON.stringify(read)).not.toContain('restUrl')
  })

  test('counts empty variables as not set', () => {
    expect(launch([], { INDEXWATCH_WS_URL: '', INDEXWATCH_REST_URL: '' })).toEqual(launch())
  })

  test.each([
    ['INDEXWATCH_WS_URL', 'nonsense'],
    ['INDEXWATCH_WS_URL', 'http://127.0.0.1:4000'],
    ['INDEXWATCH_WS_URL', 'ws://feed.example/ws/v4'],
    ['INDEXWATCH_WS_URL', 'wss://id:secret@feed.example/ws/v4'],
    ['INDEXWATCH_REST_URL', 'ftp://feed.example'],
    ['INDEXWATCH_KEY_ID', ''],
  ])('names %s when it is %j', (name, value) => {
    expect(launch([], { ...connection, [name]: value })).toMatchObject({
      ok: false,
      problem: { code: 'badEnvironment', message: expect.stringContaining(name) as string },
    })
  })

  test('asks for the stream when REST alone is given', () => {
    expect(launch([], { INDEXWATCH_REST_URL: 'http://127.0.0.1:1' })).toMatchObject({ ok: false })
  })

  test('is nothing to a packaged app, unless it is asked for', () => {
    expect(launch([], { ...connection, INDEXWATCH_WS_URL: 'nonsense' }, true)).toEqual(launch())
    expect(launch([], { ...connection, INDEXWATCH_DEV: '1' }, true)).toEqual(launch([], connection))
  })
})

describe('a product start', () => {
  const user = { isRoot: false, platform: 'linux' } as const

  test.each([
    '--inspect=0',
    '--remote-debugging-port=9222',
    '--log-net-log=/tmp/net.json',
    '--ssl-key-log-file=/tmp/keys',
    '--enable-logging',
    '--disable-seccomp-filter-sandbox',
    '--report=/tmp/a.png',
    '-inspect',
    ' --inspect',
    '--INSPECT-BRK',
    '--no-sandbox',
  ])('refuses %j', (argument) => {
    expect(findForeignSwitch(['--demo', argument], user)).toBe(argument)
  })

  test('takes its own and what a display may need', () => {
    const own = ['--demo', '--hidden', '--user-data-dir=/tmp/inspect', '--password-store=kwallet6', '--disable-gpu']
    expect(findForeignSwitch([...own, '--ozone-platform=wayland', 'inspect', '/inspect'], user)).toBeUndefined()
  })

  test('takes --no-sandbox from root', () => {
    expect(findForeignSwitch(['--no-sandbox'], { ...user, isRoot: true })).toBeUndefined()
  })

  test('refuses what stands behind a slash on Windows, where that is a switch', () => {
    const windows = { isRoot: false, platform: 'win32' } as const
    expect(findForeignSwitch(['/demo', '/log-net-log=C:\\a'], windows)).toBe('/log-net-log=C:\\a')
    expect(findForeignSwitch(['/demo', '--hidden'], windows)).toBeUndefined()
  })
})

const sway = { platform: 'linux', currentDesktop: 'sway', hasSwitch: false, hasSessionBus: true } as const

test('names the Secret Service on a desktop that Chromium does not know', () => {
  expect(passwordStore(sway)).toBe('gnome-libsecret')
  expect(passwordStore({ ...sway, currentDesktop: undefined })).toBe('gnome-libsecret')
})

test.each(['GNOME', 'ubuntu:GNOME', 'KDE', 'XFCE', 'X-Cinnamon'])('leaves %s to Chromium', (currentDesktop) => {
  expect(passwordStore({ ...sway, currentDesktop })).toBeUndefined()
})

test('leaves the choice of the user, other systems and a session without a bus alone', () => {
  expect(passwordStore({ ...sway, hasSwitch: true })).toBeUndefined()
  expect(passwordStore({ ...sway, platform: 'win32' })).toBeUndefined()
  expect(passwordStore({ ...sway, hasSessionBus: false })).toBeUndefined()
})

test('a folder that can be made is writable, one that cannot is not', async () => {
  const base = await mkdtemp(join(tmpdir(), 'indexwatch-writable-'))
  await writeFile(join(base, 'file'), '')
  expect(isWritableFolder(join(base, 'new', 'profile'))).toBe(true)
  expect(isWritableFolder(join(base, 'file', 'profile'))).toBe(false)
  await rm(base, { recursive: true })
})

test('--help and --version ask for a text, whatever stands beside them; other starts for none', () => {
  expect(textAskedFor(['indexwatch', '--demo', '--version'], '0.2.0')).toBe('Indexwatch 0.2.0\n')
  const help = textAskedFor(['indexwatch', '--version', '--help'], '0.2.0')
  for (const flag of ['--demo', '--hidden', '--user-data-dir=DIR', '--version', '--help']) expect(help).toContain(flag)
  expect(textAskedFor(['indexwatch', '--hidden'], '0.2.0')).toBeUndefined()
})

test('a test build is called one', () => {
  expect(appTitle('0.1.0')).toBe('Indexwatch')
  expect(appTitle('0.1.0-test')).toBe('Indexwatch TEST BUILD')
  expect(textAskedFor(['--version'], '0.1.0-test')).toBe('Indexwatch TEST BUILD 0.1.0-test\n')
})

describe('a refused start', () => {
  test('of an AppImage without its protection says what to do', () => {
    expect(foreignSwitchRemedy('--no-sandbox', { APPIMAGE: '/home/kim/Indexwatch.AppImage' })).toContain(
      'Install the deb or the rpm package',
    )
    expect(foreignSwitchRemedy('--no-sandbox', {})).toContain('Start the app without it.')
    expect(foreignSwitchRemedy('--inspect', { APPIMAGE: '/x' })).toBe(
      '--inspect is not allowed here. Start the app without it.',
    )
  })

  test('is explained by a start without the refused switches', () => {
    const refused = ['indexwatch', '--remote-debugging-port=9222', '--log-net-log=/tmp/a']
    expect(refusalArguments('No.', refused)).toEqual(['--refused=No.'])
    expect(refusalArguments('No.', [...refused, '--no-sandbox'])).toEqual(['--no-sandbox', '--refused=No.'])
    expect(refusalToShow(refusalArguments('A = B.', refused))).toBe('A = B.')
  })

  test('is explained by a start that gets neither the key nor requests printed', () => {
    const env = { PATH: '/bin', NODE_DEBUG: 'http', INDEXWATCH_KEY_SECRET: 'secret', INDEXWATCH_KEY_ID: 'id' }
    expect(refusalEnvironment(env)).toEqual({ PATH: '/bin', INDEXWATCH_KEY_ID: 'id' })
  })

  test('is explained in no other start', () => {
    expect(refusalToShow([])).toBeUndefined()
    expect(refusalToShow(['--demo'])).toBeUndefined()
    expect(refusalToShow(['--refused=No.', '--remote-debugging-port=9222'])).toBeUndefined()
    expect(findForeignSwitch(['--refused=No.', '--demo'], { isRoot: false, platform: 'linux' })).toBe('--refused=No.')
  })
})

test('a second start says its version, and nothing else is taken for one', () => {
  expect(startedVersion({ version: '0.2.0-test' })).toBe('0.2.0-test')
  for (const other of [undefined, null, {}, { version: 2 }, { version: 'x y' }, { version: '1'.repeat(41) }]) {
    expect(startedVersion(other)).toBeUndefined()
  }
})

describe('Wayland', () => {
  const session = { XDG_SESSION_TYPE: 'wayland', WAYLAND_DISPLAY: 'wayland-0' }
  test.each([
    ['an old Electron in its session', { electronMajor: 33 }, false],
    ['a new Electron in its session', {}, true],
    ['a new Electron in a session of X11', { env: { XDG_SESSION_TYPE: 'x11', WAYLAND_DISPLAY: 'wayland-0' } }, false],
    ['a new Electron without a compositor', { env: { XDG_SESSION_TYPE: 'wayland' } }, false],
    ['a new Electron made to take X11', { ozonePlatform: 'x11' }, false],
    ['an old Electron made to take it', { electronMajor: 33, env: {}, ozonePlatform: 'wayland' }, true],
    ['an old Electron left to find out', { electronMajor: 33, ozoneHint: 'auto' }, true],
    ['Windows', { platform: 'win32' as const }, false],
  ])('%s', (_name, more, expected) => {
    const usual = { platform: 'linux' as const, env: session, ozonePlatform: '', ozoneHint: '', electronMajor: 45 }
    expect(isWayland({ ...usual, ...more })).toBe(expected)
  })
})
