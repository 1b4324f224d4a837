import { cp, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { freeLoopbackPort } from '../../main/access/loopback-server'
import { connectionVariables, type AppBench } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { lockDatabase } from '../support/lock-holder'
import { endDisks, waysOfNotJudging } from '../support/not-judging'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'

const words = 'Alerts are off: the history is in use by another program'

/** Expects the words in the tray and in the one notification of a hidden start. */
async function expectSaidOnce({ peer }: AppBench, said: string): Promise<void> {
  await peer.nextTrayItem()
  await expect.poll(() => peer.trayTooltip()).toContain(`Indexwatch: ${said}`)
  expect(await peer.nextNotification()).toMatchObject({ summary: said })
  expect(await peer.trayTooltip()).not.toContain('Live')
}

test('started hidden, one notification and the tray say why alerts are off, for each reason', async ({
  alerts,
  service,
  run,
  bench,
}) => {
  await run.make(levelDraft('101'))
  await bench.peer.nextTrayItem()
  await run.running.quit()
  const profile = join(bench.folder, 'profile-with-a-rule')
  await rename(bench.userData, profile)
  for (const way of waysOfNotJudging) {
    await test.step(way.name, async () => {
      await cp(profile, bench.userData, { recursive: true })
      const end = await way.begin(bench.userData)
      try {
        const hidden = await bench.launch(
          ['--hidden'],
          way.isOfSettings === true ? {} : connectionVariables(addressOf(service)),
        )
        await expectSaidOnce(bench, way.words)
        await hidden.quit()
      } finally {
        await end()
        endDisks(bench.userData)
        await rm(bench.userData, { recursive: true, force: true })
      }
    })
  }

  await test.step('locked: values are received, and alerts are on again once it is unlocked', async () => {
    await rename(profile, bench.userData)
    const letGo = await lockDatabase(join(bench.userData, 'tape.db-lock'))
    const hidden = await bench.launch(['--hidden'], connectionVariables(addressOf(service)))
    await expectSaidOnce(bench, words)
    await expect.poll(() => service.connectionCount).toBe(1)
    for (const value of ['100.50', '101.50', '100.75']) alerts.publish(value)
    await expect.poll(() => bench.peer.trayTooltip()).toContain('BRTI 100.75')
    expect(await bench.peer.trayTooltip()).not.toContain('Live')
    expect(bench.peer.unreadCount).toBe(0)

    await letGo()
    const heard = [await bench.peer.nextNotification(), await bench.peer.nextNotification()]
    const of = (start: string) => heard.filter(({ summary }) => summary.startsWith(start))
    expect(of('BRTI rose to 101.50')).toHaveLength(1)
    expect(of('Alerts are on again')).toMatchObject([
      { body: expect.stringMatching(/^Indexwatch checked no alerts from [\d:]+ to [\d:]+\./) as unknown },
    ])
    await expect.poll(() => bench.peer.trayTooltip()).toContain('Indexwatch: Live')
    const opened = hidden.app.waitForEvent('window')
    await bench.peer.activateTray()
    await opened
    const watch = await hidden.watch()
    await watch.expectState('Live')
    const { inbox, judging } = (await watch.snapshot()).state
    expect(judging).toEqual({ state: 'judged' })
    expect(inbox).toMatchObject([{ kind: 'lateFromHistory', inputs: { value: '101.50' } }])
    expect(bench.peer.unreadCount).toBe(0)
  })
})

test('a watch without its history says that alerts are off, and later prints the crossings', async ({
  alerts,
  service,
  run,
  bench,
}) => {
  await run.make(levelDraft('101'))
  await run.running.quit()
  const letGo = await lockDatabase(join(bench.userData, 'tape.db-lock'))
  const port = (await freeLoopbackPort()) ?? 0
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const watch = bench.spawn(
    ['--ozone-platform=headless', 'watch', '--json', '--alerts', '--ids', 'BRTI', '--metrics', String(port)],
    { ...connectionVariables(addressOf(service)), DISPLAY: '' },
  )
  const lines: Record<string, unknown>[] = []
  createInterface(watch.stdout).on('line', (line) => lines.push(JSON.parse(line) as Record<string, unknown>))
  const of = (kind: string) => lines.filter(({ type }) => type === kind)
  await expect.poll(() => of('alerts')).toMatchObject([{ areJudged: false, reason: 'locked', problem: words }])
  await expect.poll(() => service.connectionCount).toBe(1)
  for (const value of ['101.50', '100.75']) alerts.publish(value)
  await expect.poll(() => of('value')).toHaveLength(2)
  expect(await metrics()).toContain('\nindexwatch_alerts_judged 0\n')
  expect(await metrics()).toContain('\nindexwatch_rules_active 0\n')
  await letGo()
  await expect.poll(() => of('alert')).toMatchObject([{ kind: 'lateFromHistory', value: '101.50' }])
  expect(of('alerts').slice(1)).toMatchObject([{ areJudged: true, notWatched: { to: expect.any(String) as unknown } }])
  expect(await metrics()).toContain('\nindexwatch_alerts_judged 1\n')
  expect(watch.exitCode).toBeNull()
})
