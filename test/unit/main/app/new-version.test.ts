import { expect, test } from 'vitest'
import { createNewVersion, startedVersion } from '../../../../main/app/new-version'

/** A running 0.1.0 that was started with a link. `answer` is the button that the user presses. */
function start(answer: number, isAppImage = false) {
  const done: unknown[] = []
  const argv = ['/opt/indexwatch', '--demo', '--hidden', 'indexwatch://index/BRTI']
  const offer = createNewVersion(
    { version: '0.1.0', argv, isAppImage },
    { relaunch: ({ args }) => done.push(['relaunch', ...args]), quit: () => done.push('quit') },
    {
      showMessageBox: ({ message, buttons }) => {
        done.push(message, buttons?.[0])
        return Promise.resolve({ response: answer })
      },
    },
  )
  return { offer, done }
}

test('offers another version once, and a restart shows the window without the link', async () => {
  const { offer, done } = start(0)
  for (const version of ['0.1.0', '0.2.0', '0.2.0']) await offer(version)
  expect(done).toEqual(['Indexwatch 0.2.0 is installed: restart to use it', 'Restart', ['relaunch', '--demo'], 'quit'])
})

test('only quits an AppImage, whose new version is another file', async () => {
  const { offer, done } = start(0, true)
  await offer('0.2.0')
  expect(done).toEqual(['To use Indexwatch 0.2.0, quit this one and start the new file', 'Quit', 'quit'])
})

test('keeps running after Later', async () => {
  const { offer, done } = start(1)
  await offer('0.2.0')
  expect(done).toEqual(['Indexwatch 0.2.0 is installed: restart to use it', 'Restart'])
})

test('a second start sends its version, and other data is ignored', () => {
  expect(startedVersion({ version: '0.2.0-test' })).toBe('0.2.0-test')
  for (const other of [undefined, null, {}, { version: 2 }, { version: 'x y' }, { version: '1'.repeat(41) }]) {
    expect(startedVersion(other)).toBeUndefined()
  }
})
