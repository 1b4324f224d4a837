import { expect, test } from 'vitest'
import { passwordStore } from '../../../../main/desktop/password-store'

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
