import { expect, test } from '../support/app-test'

test('a dark window is shown only after painting, on a dark background', { tag: '@deep' }, async ({ bench }) => {
  const { app } = await bench.launch(['--demo', '--hidden'])
  await bench.peer.nextTrayItem()
  await app.evaluate(({ app: main, nativeTheme }) => {
    nativeTheme.themeSource = 'dark'
    const said: string[] = []
    Object.assign(globalThis, { said })
    main.once('browser-window-created', (_event, window) => {
      window.once('show', () => said.push(`shown on ${window.getBackgroundColor()}`))
      window.once('ready-to-show', () => said.push('painted'))
    })
  })
  const opened = app.waitForEvent('window')
  await bench.peer.activateTray()
  await (await opened).getByRole('table', { name: 'My list' }).waitFor()
  const said = () => app.evaluate(() => (globalThis as unknown as { said: string[] }).said)
  await expect.poll(said).toEqual(['painted', 'shown on #0D0F12'])
})
