import { describe, expect, test } from 'vitest'
import { findRefusedSwitch } from '../../../../main/desktop/launch-options'
import {
  refusedSwitchMessage,
  refusalArguments,
  refusalEnvironment,
  refusalToShow,
} from '../../../../main/desktop/refused-start'

describe('a refused start', () => {
  test('of an AppImage or tar.gz without a sandbox says what to do', () => {
    expect(refusedSwitchMessage('--no-sandbox', { APPIMAGE: '/home/kim/Indexwatch.AppImage' })).toContain(
      'Install the deb or the rpm package',
    )
    expect(refusedSwitchMessage('--no-sandbox', { INDEXWATCH_FOLDER: '/home/kim/indexwatch' })).toContain(
      'chmod 4755 /home/kim/indexwatch/chrome-sandbox',
    )
    expect(refusedSwitchMessage('--no-sandbox', {})).toContain('Start the app without it.')
    expect(refusedSwitchMessage('--inspect', { APPIMAGE: '/x' })).toBe(
      '--inspect is not allowed. Start the app without it.',
    )
  })

  test('is shown by a process without the refused switches', () => {
    const refused = ['indexwatch', '--remote-debugging-port=9222', '--log-net-log=/tmp/a']
    expect(refusalArguments('No.', refused)).toEqual(['--refused=No.'])
    expect(refusalArguments('No.', [...refused, '--no-sandbox'])).toEqual(['--no-sandbox', '--refused=No.'])
    expect(refusalToShow(refusalArguments('A = B.', refused))).toBe('A = B.')
  })

  test('is shown by a process without the key and without request logging', () => {
    const secrets = { INDEXWATCH_KEY_SECRET: 'secret', INDEXWATCH_DESK_PASSWORD: 'secret' }
    const env = { PATH: '/bin', NODE_DEBUG: 'http', ...secrets, INDEXWATCH_KEY_ID: 'id' }
    expect(refusalEnvironment(env)).toEqual({ PATH: '/bin', INDEXWATCH_KEY_ID: 'id' })
  })

  test('is shown in no other start', () => {
    expect(refusalToShow([])).toBeUndefined()
    expect(refusalToShow(['--demo'])).toBeUndefined()
    expect(refusalToShow(['--refused=No.', '--remote-debugging-port=9222'])).toBeUndefined()
    expect(findRefusedSwitch(['--refused=No.', '--demo'], { isRoot: false, platform: 'linux' })).toBe('--refused=No.')
  })
})
