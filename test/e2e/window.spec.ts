import { expect, test } from '../support/app-test'

for (const [theme, background] of [
  ['dark', '#13161B'],
  ['light', '#FFFFFF'],
] as const) {
  test(`a ${theme} window is shown only after painting, on its page's colour`, { tag: '@deep' }, async ({ bench }) => {
    const { app } = await bench.launch(['--demo', '--hidden'])
    await bench.peer.nextTrayItem()
    await app.evaluate(({ app: main, nativeTheme }, chosen) => {
      nativeTheme.themeSource = chosen
      const said: string[] = []
      Object.assign(globalThis, { said })
      main.once('browser-window-created', (_event, window) => {
        window.once('show', () => said.push(`shown on ${window.getBackgroundColor()}`))
        window.once('ready-to-show', () => said.push('painted'))
      })
    }, theme)
    const opened = app.waitForEvent('window')
    await bench.peer.activateTray()
    await (await opened).getByRole('table', { name: 'My list' }).waitFor()
    const said = () => app.evaluate(() => (globalThis as unknown as { said: string[] }).said)
    await expect.poll(said).toEqual(['painted', `shown on ${background}`])
  })
}

test('a dark ticker is shown once, with its size, on the colour of its page', { tag: '@deep' }, async ({ bench }) => {
  const { running, watch } = await bench.launchDemo()
  await watch.ask('setPreferences', { theme: 'dark' })
  await running.app.evaluate(({ app: main }) => {
    const said: unknown[] = []
    Object.assign(globalThis, { said })
    main.once('browser-window-created', (_event, window) => {
      window.once('show', () => said.push([window.getBackgroundColor(), window.getBounds().height]))
    })
  })
  const opened = running.app.waitForEvent('window')
  await watch.ask('setPreferences', { showsTicker: true })
  const ticker = await opened
  await expect(ticker.locator('[data-index="BRTI"] [data-value]')).toHaveText(/\d/)
  const height = Math.ceil((await ticker.locator('main').boundingBox())?.height ?? 0)
  const said = () => running.app.evaluate(() => (globalThis as unknown as { said: unknown[] }).said)
  await expect.poll(said).toEqual([['#1A1E25', height]])
})
