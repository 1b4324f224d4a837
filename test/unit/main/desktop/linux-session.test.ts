import { describe, expect, test } from 'vitest'
import { listensOnX, maxOpenFiles, passwordStore, windowSystem } from '../../../../main/desktop/linux-session'

const sway = { platform: 'linux', currentDesktop: 'sway', hasSwitch: false, hasSessionBus: true } as const

test('names the Secret Service on a desktop that Chromium does not know', () => {
  expect(passwordStore(sway)).toBe('gnome-libsecret')
  expect(passwordStore({ ...sway, currentDesktop: undefined })).toBe('gnome-libsecret')
})

test.each(['GNOME', 'ubuntu:GNOME', 'KDE', 'XFCE', 'X-Cinnamon'])('leaves %s to Chromium', (currentDesktop) =>
  expect(passwordStore({ ...sway, currentDesktop })).toBeUndefined(),
)

test('leaves the choice to the user, to other systems and to Chromium without a bus', () => {
  expect(passwordStore({ ...sway, hasSwitch: true })).toBeUndefined()
  expect(passwordStore({ ...sway, platform: 'win32' })).toBeUndefined()
  expect(passwordStore({ ...sway, hasSessionBus: false })).toBeUndefined()
})

test("reads the limit of open files from a process's limits", () => {
  const limits = (soft: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}   4096   files\n`
  expect(maxOpenFiles(limits('64'))).toBe(64)
  expect(maxOpenFiles(limits('unlimited'))).toBe(Infinity)
  expect(maxOpenFiles('')).toBe(Infinity)
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
    expect(windowSystem({ ...usual, ...more })).toEqual({ placesWindows: !expected })
  })

  test('XWayland is offered besides it, and recognised when in use', () => {
    const usual = { platform: 'linux' as const, ozonePlatform: '', ozoneHint: '', electronMajor: 45 }
    const env = { ...session, DISPLAY: ':0' }
    expect(windowSystem({ ...usual, env })).toEqual({ placesWindows: false, xwayland: 'offered' })
    expect(windowSystem({ ...usual, env, ozonePlatform: 'x11' })).toEqual({ placesWindows: true, xwayland: 'used' })
    expect(windowSystem({ ...usual, env: { XDG_SESSION_TYPE: 'x11', DISPLAY: ':0' } })).toEqual({ placesWindows: true })
  })

  test('recognises a command line that overrides the settings', () => {
    const usual = { platform: 'linux' as const, ozoneHint: '', electronMajor: 45, env: { ...session, DISPLAY: ':0' } }
    const started = (ozonePlatform: string, wantsXWayland: boolean) =>
      windowSystem({ ...usual, ozonePlatform, named: { wantsXWayland } }).xwayland
    expect(started('x11', false)).toBe('overridden')
    expect(started('wayland', true)).toBe('overridden')
    // Arguments of a restart, and those without one.
    expect(started('x11', true)).toBe('used')
    expect(started('wayland', false)).toBe('offered')
  })
})

test('an X server exists if one listens on the display, with a file or without', () => {
  const sockets = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 18011 @/tmp/.X11-unix/X0',
    '0000000000000000: 00000002 00000000 00010000 0001 01 18012 /tmp/.X11-unix/X12',
    '0000000000000000: 00000003 00000000 00000000 0001 03 18013 /tmp/.X11-unix/X2',
    '0000000000000000: 00000003 00000000 00000000 0001 03 18014',
    '',
  ].join('\n')
  expect([':0', ':0.1', 'unix:12'].map((display) => listensOnX(display, sockets))).toEqual([true, true, true])
  // Another display, one that no longer listens, another computer's, and an invalid one.
  const others = [':1', ':2', 'desk:0', 'localhost:10.0', '']
  expect(others.filter((display) => listensOnX(display, sockets))).toEqual([])
  expect(listensOnX(':0', '')).toBe(false)
})
