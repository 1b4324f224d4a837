import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WindowState } from '../../protocol/desktop'
import type { AlertDraft } from '../../core/alerts'
import type { AppBench, LiveApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { successBody, type ScriptedService } from '../support/scripted-service'
import type { WatchPage } from '../support/watch-page'

async function launchLive(bench: AppBench, service: ScriptedService): Promise<LiveApp> {
  const live = await bench.launchLive(addressOf(service))
  // Allows the host of the webhook when the app asks.
  await live.running.answerMessages('Connect')
  await expect.poll(async () => (await stateOf(live.watch)).catalogue.length).toBe(2)
  return live
}

async function stateOf(watch: WatchPage): Promise<WindowState> {
  return (await watch.snapshot()).state
}

async function rulesOf(watch: WatchPage): Promise<string[]> {
  return (await stateOf(watch)).alerts.map(({ indexId, terms }) => `${indexId} ${JSON.stringify(terms)}`)
}

const full: AlertDraft = {
  ...levelDraft('68500.00', { condition: 'isAbove' }),
  repeat: { mode: 'whileTrue', everyMinutes: 30 },
  severity: 'urgent',
  holdMs: 60_000,
  note: 'Ask the desk',
  webhookUrl: 'https://hooks.example.com/a',
}

test('rules are exported and imported as a file, and all of them survive a restart', async ({ bench, service }) => {
  const first = await launchLive(bench, service)
  const path = join(bench.folder, 'mine.json')
  await first.running.chooseFile(path)

  await test.step('a file with one bad rule changes nothing and says which', async () => {
    const rules = [levelDraft('1'), { ...levelDraft('2'), holdMS: 5 }]
    await writeFile(path, JSON.stringify({ format: 'indexwatch-alerts', version: 1, rules }))
    expect(await first.watch.ask('chooseAlertFile', {})).toEqual({
      ok: false,
      problem: { code: 'badRule', message: 'rules[1].holdMS: Unknown field. Remove it.' },
    })
    expect(await rulesOf(first.watch)).toEqual([])
  })

  for (const draft of [levelDraft('1.50'), full]) {
    expect(await first.watch.ask('createAlert', { draft, whenAlreadyMet: 'wait' })).toMatchObject({ ok: true })
  }
  expect(await first.watch.ask('exportAlerts', {})).toEqual({ ok: true, value: { fileName: 'mine.json' } })
  const before = await rulesOf(first.watch)
  for (const { id } of (await stateOf(first.watch)).alerts) await first.watch.ask('deleteAlert', { ruleId: id })
  await first.watch.ask('createAlert', { draft: levelDraft('1.5'), whenAlreadyMet: 'wait' })

  const exported = await readFile(path, 'utf8')
  await writeFile(
    path,
    exported.replace('"rules": [', `"rules": [${JSON.stringify(levelDraft('5', { indexId: 'XYZ' }))},`),
  )
  const chosen = await first.watch.ask('chooseAlertFile', {})
  expect(chosen).toMatchObject({
    ok: true,
    value: {
      fileName: 'mine.json',
      adds: [
        { sentence: 'XYZ rises to 5', reach: { cannotFire: 'the provider does not list XYZ for this key' } },
        { sentence: 'BRTI is above 68,500.00 for 1 min', webhookHost: 'hooks.example.com' },
      ],
      sameCount: 1,
    },
  })
  const importId = chosen.ok ? (chosen.value?.importId ?? '') : ''
  expect(await first.watch.ask('importAlerts', { importId })).toEqual({ ok: true, value: { adds: 2 } })
  await first.running.quit()

  const { running, watch } = await launchLive(bench, service)
  const after = await rulesOf(watch)
  expect(after).toHaveLength(3)
  expect(after).toContain(before[1])
  expect((await stateOf(watch)).alerts.at(-1)).toMatchObject({ ...full })

  await test.step('a draft is tested on the history of the service, and the inbox is saved as CSV', async () => {
    // Done first, because an evaluation during a notification may lose its result.
    const table = join(bench.folder, 'inbox.csv')
    await running.chooseFile(table)
    for (const { id } of (await stateOf(watch)).alerts) await watch.ask('deleteAlert', { ruleId: id })
    const nowMs = Math.floor(Date.now() / 1_000) * 1_000
    const past = ['99', '100.10', '99', '101'].map((value, at) => ({ value, time: nowMs - (10 - at) * 1_000 }))
    service.routes.set('values?id=BRTI', { body: successBody(past) })
    await expect.poll(() => service.connectionCount).toBe(1)
    service.sendValue('BRTI', '99.00', nowMs - 2_000)
    await watch.expectValue('BRTI', '99.00', '99.00')
    const draft: AlertDraft = { ...levelDraft('100'), repeat: { mode: 'everyCrossing' } }
    expect(await watch.ask('previewAlert', { draft })).toMatchObject({
      ok: true,
      value: { problems: [], isMet: false, backTest: { fires: [{ value: '100.10' }, { value: '101' }] } },
    })
    expect(await watch.ask('previewAlert', { draft: { ...draft, indexId: 'XYZ' } })).toMatchObject({
      value: { problems: [{ field: 'indexId' }] },
    })
    await watch.ask('createAlert', { draft, whenAlreadyMet: 'wait' })
    service.sendValue('BRTI', '100.50', nowMs - 1_000)
    const fired = async () => (await stateOf(watch)).inbox.filter(({ kind }) => kind === 'fired')
    await expect.poll(async () => (await fired()).map(({ inputs }) => inputs.value)).toEqual(['100.50'])
    expect(await watch.ask('saveInboxTable', { query: {} })).toEqual({ ok: true, value: { fileName: 'inbox.csv' } })
    expect(await readFile(table, 'utf8')).toContain('100.50')
  })
})
