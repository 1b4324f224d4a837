import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WindowState } from '../../protocol/desktop'
import { AlertRun, type AlertService } from '../support/alert-run'
import { connectionVariables, type AppBench, type RunningApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { buildFailingCalls, fullDiskVariables, heldDiskVariables } from '../support/failing-calls'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'

test.skip(process.platform !== 'linux', 'calls of the system are replaced by the loader of Linux')

/** Builds a library that makes system calls fail. Returns its path and the path of the file that controls it. */
async function workshop(bench: AppBench): Promise<{ library: string; marks: string }> {
  const folder = join(bench.folder, 'failing')
  await mkdir(folder)
  return { library: buildFailingCalls(folder), marks: join(folder, 'mark') }
}

/** Starts the app on the service with these variables. Resolves when it has its first value. */
async function launch(bench: AppBench, alerts: AlertService, variables: Record<string, string>): Promise<AlertRun> {
  const running = await bench.launch([], { ...connectionVariables(addressOf(alerts.service)), ...variables })
  const watch = await running.watch()
  await watch.expectState('Live')
  alerts.publish('100.00')
  await watch.expectValue('BRTI', '100.00', '100.00')
  return new AlertRun(running, watch)
}

/** Quits and answers questions with this button. Returns a function that lists the questions so far. */
async function quitAnswering(running: RunningApp, button: string): Promise<() => Promise<string[]>> {
  const asked = await running.answerMessages(button)
  await running.app.evaluate(({ app }) => app.quit())
  return asked
}

const unsavedOf = async (run: AlertRun): Promise<WindowState['unsaved']> => (await run.state()).unsaved

test('on a full disk unsaved changes are marked, Quit asks, and with room all are saved', async ({ alerts, bench }) => {
  const { library, marks } = await workshop(bench)
  const variables = fullDiskVariables(library, `${bench.userData}/`, marks)
  const run = await launch(bench, alerts, variables)
  const { watch, running } = run

  writeFileSync(marks, '')
  const alert = await run.make(levelDraft('101'))
  expect(await watch.ask('createList', { name: 'Majors' })).toMatchObject({ ok: true })
  expect(await watch.ask('setPreferences', { theme: 'dark' })).toMatchObject({ ok: true })
  alerts.publish('102.00')
  await expect.poll(() => unsavedOf(run)).toMatchObject({ count: 4, preferences: ['theme'], alerts: [alert.id] })
  await expect(watch.notices.filter({ hasText: 'Not saved' })).toHaveText(
    /Not saved because the disk is full: watchlist “Majors”, theme, alert BRTI rises to 101, 1 inbox event\. Free some space/,
  )
  await watch.open('Alerts')
  await expect(watch.page.locator(`[data-rule="${alert.id}"] [data-unsaved]`)).toHaveText('not saved')
  await expect(watch.page.locator('[data-event] [data-unsaved]')).toHaveText('not saved')

  const asked = await quitAnswering(running, 'Stay')
  await expect.poll(asked).toEqual([expect.stringMatching(/^4 changes are not saved: the disk is full\./)])

  rmSync(marks)
  await expect.poll(() => unsavedOf(run)).toBeNull()
  await expect(watch.page.locator('[data-unsaved]')).toHaveCount(0)
  await expect(watch.notices.filter({ hasText: 'All changes are saved now.' })).toHaveCount(1)
  await test.step('the end of the session asks nothing and says what is lost', async () => {
    writeFileSync(marks, '')
    await watch.ask('setPreferences', { density: 'compact' })
    await expect.poll(() => unsavedOf(run)).toMatchObject({ count: 1 })
    const before = await asked()
    const ended = once(running.app.process(), 'exit')
    running.app.process().kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(before).toHaveLength(1)
    expect(running.output()).toContain('Indexwatch: 1 change is not saved: the disk is full.')
    rmSync(marks)
  })

  const again = await launch(bench, alerts, variables)
  const { settings, alerts: rules, inbox } = await again.state()
  expect(settings.theme).toBe('dark')
  expect(settings.watchlists.map(({ name }) => name)).toContain('Majors')
  expect(rules.map(({ id }) => id)).toEqual([alert.id])
  expect(inbox).toHaveLength(1)

  await test.step('Quit asks, and quits anyway if the user wants', async () => {
    writeFileSync(marks, '')
    await again.watch.ask('setPreferences', { theme: 'light' })
    await expect.poll(() => unsavedOf(again)).toMatchObject({ count: 1 })
    const ended = once(again.running.app.process(), 'exit')
    await quitAnswering(again.running, 'Quit anyway')
    expect(await ended).toEqual([0, null])
  })
})

test('on a disk that does not answer the app keeps working and says once what is not saved', async ({
  alerts,
  bench,
}) => {
  const { library, marks } = await workshop(bench)
  let count = 0
  let isSlow = false
  const letThrough = setInterval(() => {
    if (isSlow || !existsSync(`${marks}.begun.${count + 1}`)) return
    count++
    writeFileSync(`${marks}.done.${count}`, '')
  }, 10)
  const run = await launch(bench, alerts, heldDiskVariables(library, join(bench.userData, 'settings.json'), marks))
  const { watch, running } = run

  isSlow = true
  expect(await watch.ask('setPreferences', { theme: 'dark' })).toMatchObject({ ok: true })
  expect(await watch.ask('setPreferences', { density: 'compact' })).toMatchObject({ ok: true })
  expect(await unsavedOf(run)).toMatchObject({ reason: 'the disk is slow', preferences: ['theme', 'density'] })
  await expect(watch.notices.filter({ hasText: 'The disk is slow.' })).toHaveCount(1)
  alerts.publish('103.00')
  await watch.expectValue('BRTI', '103.00', '103.00')

  const asked = await quitAnswering(running, 'Stay')
  await expect.poll(asked).toEqual([expect.stringMatching(/^2 changes are not saved: the disk is slow\./)])
  isSlow = false
  await expect.poll(() => unsavedOf(run)).toBeNull()
  await running.quit()
  clearInterval(letThrough)
})
