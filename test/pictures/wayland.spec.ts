/**
 * Takes pictures of the app under Wayland, with its ticker, About and the notes of an update:
 * `npm run pictures -- wayland`, with INDEXWATCH_COMPOSITOR=mutter under GNOME's compositor. They go to `wayland/` in the
 * system's temporary folder. Look at each.
 */
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { addressOf } from '../../simulator/address'
import { startSimulator } from '../../simulator/server'
import { AppBench, connectionVariables } from '../support/app-bench'
import { UpdateServer } from '../support/update-server'
import { WaylandDisplay } from '../support/wayland-display'

const notes = 'Added\n- Export of values as Parquet.\n\nFixed\n- An amendment that arrives before its value is kept.'

test('the app under Wayland', async () => {
  test.setTimeout(180_000)
  const folder = join(tmpdir(), 'wayland')
  await mkdir(folder, { recursive: true })
  const bench = await AppBench.create()
  const simulator = await startSimulator({})
  const updates = await UpdateServer.start()
  updates.publish({ version: '0.2.0', file: Buffer.from('#!/bin/sh\n'), notes })
  const wayland = await WaylandDisplay.start(bench.environment(), bench.folder)
  try {
    const flags = ['--ozone-platform-hint=auto', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
    const running = await bench.launch(flags, {
      ...connectionVariables(addressOf(simulator)),
      ...wayland.variables,
      INDEXWATCH_UPDATE_URL: updates.url,
    })
    const watch = await running.watch()
    const take = async (name: string) => {
      await watch.page.waitForTimeout(1_500)
      await wayland.picture(join(folder, `${name}.png`))
    }
    await watch.expectState('Live')
    for (const theme of ['light', 'dark'] as const) {
      await watch.ask('setPreferences', { theme })
      await take(`window-${theme}`)
      await watch.page.evaluate(() => {
        location.hash = '#settings/help'
      })
      await watch.page.getByRole('button', { name: 'Third-party licences' }).first().scrollIntoViewIfNeeded()
      await take(`about-${theme}`)
      await watch.ask('checkForUpdates', {})
      const notesButton = watch.page.getByRole('button', { name: 'What’s new' }).first()
      await expect(notesButton).toBeVisible()
      await notesButton.click()
      await take(`update-${theme}`)
      await watch.page.keyboard.press('Escape')
      const opening = running.app.waitForEvent('window')
      await watch.ask('setPreferences', { showsTicker: true })
      await (await opening).waitForTimeout(2_000)
      await take(`ticker-${theme}`)
      await watch.ask('setPreferences', { showsTicker: false })
    }
    console.log(folder)
  } finally {
    await bench.dispose()
    await Promise.all([wayland.stop(), updates.stop(), simulator.close()])
  }
})
