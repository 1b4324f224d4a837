import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../../core/model'
import { expect, test } from '../support/app-test'
import { goldenText } from '../support/golden'
import { addressOf } from '../support/scripted-rest'
import { failureBody, successBody } from '../support/scripted-service'
import type { WatchPage } from '../support/watch-page'

async function settingsOf(watch: WatchPage): Promise<Settings> {
  return (await watch.snapshot()).state.settings
}

test(
  'lists are saved, copied, arranged, exported and read back, count from a day ago, start at login, and are so after a restart',
  { tag: '@deep' },
  async ({ bench, service }) => {
    const nowMs = Date.now()
    const last24Hours = [
      { value: '100.00', time: nowMs - 86_460_000 },
      { value: '105.00', time: nowMs - 60_000 },
    ]
    const payloads = {
      latest_values: { latest_values: { BRTI: { time: nowMs - 1_000, value: '109.00' } } },
      summaries: { summaries: { BRTI: { value: '110.00', time: nowMs, last24Hours } } },
    }
    // Whatever else is asked for in the same question: the list has more indices.
    service.answerOthers = ({ url }, response) => {
      const [, payload] = Object.entries(payloads).find(([name]) => url?.includes(`/${name}?`)) ?? []
      response.writeHead(payload === undefined ? 400 : 200)
      response.end(payload === undefined ? failureBody('Unknown id') : successBody(payload))
    }
    const { running, watch } = await bench.launchLive(addressOf(service))
    await watch.ask('setPreferences', { changeBase: 'sessionFirst' })

    await test.step('a list and constituents are saved as CSV, and what is copied is in the clipboard', async () => {
      service.sendValue('BRTI', '79767.340', nowMs)
      await watch.expectValue('BRTI', '79767.340', '79,767.340')

      await running.chooseFile()
      expect(await watch.ask('saveListCsv', { listId: 'watchlist' })).toEqual({ ok: true, value: null })
      const path = join(bench.folder, 'values.csv')
      await running.chooseFile(path)
      expect(await watch.ask('saveListCsv', { listId: 'watchlist' })).toEqual({
        ok: true,
        value: { fileName: 'values.csv' },
      })
      const csv = await readFile(path, 'utf8')
      expect(csv.startsWith('\ufeffid,name,value,')).toBe(true)
      const published = new Date(nowMs).toISOString()
      expect(csv).toContain(`\r\nBRTI,CME CF Bitcoin Real Time Index,79767.340,${published},,no,0.000,0.00,appStart,`)
      expect(csv).toContain(',stream,Environment,PER_SECOND,no,\r\n')

      await watch.ask('openIndex', { indexId: 'NCI' })
      expect(await watch.ask('saveConstituentsCsv', { indexId: 'NCI' })).toMatchObject({
        problem: { code: 'noConstituents' },
      })
      service.send(goldenText('constituents-exchange-family.json'))
      await expect.poll(async () => (await watch.ask('saveConstituentsCsv', { indexId: 'NCI' })).ok).toBe(true)
      expect(await readFile(path, 'utf8')).toContain(',203484212.3109,LINK,35.0013,1.27,,\r\n')

      expect(await watch.ask('copyText', { text: 'BRTI\t79767.340' })).toEqual({ ok: true, value: null })
      expect(await running.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('BRTI\t79767.340')
    })

    await test.step('changes are counted from a day ago as soon as the service has sent that day', async () => {
      service.sendValue('BRTI', '110.00', nowMs + 1)
      await watch.expectValue('BRTI', '110.00', '110.00')
      const reference = async () => (await watch.snapshot()).rows.find(({ id }) => id === 'BRTI')?.reference
      await expect.poll(reference).toMatchObject({ kind: 'sessionFirst', value: '79767.340' })
      await watch.ask('setPreferences', { changeBase: 'dayAgo' })
      await expect.poll(reference).toEqual({ kind: 'dayAgo', value: '100.00', publishedAtMs: nowMs - 86_460_000 })
      await expect(watch.row('BRTI')).toContainText('+10.00')
      await watch.ask('setPreferences', { changeBase: 'sessionFirst' })
      await expect.poll(reference).toMatchObject({ kind: 'sessionFirst', value: '79767.340' })
    })

    await test.step('lists are exported and read back through a preview', async () => {
      const made = await watch.ask('createList', { name: 'Rates' })
      const listId = made.ok ? made.value.listId : ''
      expect(await watch.ask('createList', { name: 'rates' })).toMatchObject({ problem: { code: 'nameTaken' } })
      for (const indexId of ['BRR', 'ETH_SRR', 'BRTI']) await watch.ask('addIndex', { listId, indexId })
      await watch.ask('moveIndex', { listId, indexId: 'BRTI', position: 0 })
      await watch.ask('arrangeList', {
        listId,
        sort: { column: 'percent', isDescending: true },
        columns: ['value', 'name', 'resolution'],
      })
      await watch.ask('moveList', { listId, position: 0 })
      for (const indexId of ['NCI', 'BRTI']) await watch.ask('setPinned', { indexId, isPinned: true })
      await watch.ask('setPreferences', { density: 'comfortable', grouping: 'space' })

      const path = join(bench.folder, 'rates.json')
      await running.chooseFile(path)
      expect(await watch.ask('exportLists', { listIds: [listId] })).toEqual({
        ok: true,
        value: { fileName: 'rates.json' },
      })
      const exported = await readFile(path, 'utf8')
      expect(JSON.parse(exported)).toMatchObject({
        format: 'indexwatch-watchlists',
        version: 1,
        lists: [{ name: 'Rates', entries: [{ id: 'BRTI' }, { id: 'BRR' }, { id: 'ETH_SRR' }] }],
      })

      await watch.ask('removeIndex', { listId, indexId: 'BRR' })
      await writeFile(path, exported.replace('"PER_SECOND"', '"PER_200MS"'))
      const chosen = await watch.ask('chooseListFile', {})
      expect(chosen).toMatchObject({
        ok: true,
        value: {
          fileName: 'rates.json',
          adds: 1,
          changes: 1,
          lists: [{ name: 'Rates', isNew: false, adds: ['BRR'], changes: ['BRTI'] }],
        },
      })
      const importId = chosen.ok ? (chosen.value?.importId ?? '') : ''
      expect(await watch.ask('importLists', { importId })).toEqual({ ok: true, value: { adds: 1, changes: 1 } })
      await writeFile(path, exported.replace('"BRR"', '"<b>"'))
      const refused = await watch.ask('chooseListFile', {})
      expect(refused).toMatchObject({ problem: { code: 'badList' } })
      expect(refused.ok ? '' : refused.problem.message).toContain('lists[0].entries[1].id')
    })

    const before = await settingsOf(watch)
    expect(before.watchlists.map(({ name }) => name)).toEqual(['Rates', 'My list'])
    expect(before.watchlists[0]).toMatchObject({
      entries: [
        { id: 'BRTI', maxResolution: 'PER_200MS' },
        { id: 'ETH_SRR', maxResolution: 'PER_SECOND' },
        { id: 'BRR', maxResolution: 'PER_SECOND' },
      ],
      sort: { column: 'percent', isDescending: true },
      columns: ['value', 'name', 'resolution'],
    })
    expect(before).toMatchObject({ pinnedIds: ['NCI', 'BRTI'], density: 'comfortable', grouping: 'space' })

    // The other systems keep starting at login themselves.
    const isLinux = process.platform === 'linux'
    const entry = join(bench.folder, 'config', 'autostart', 'indexwatch.desktop')
    const entryText = () => readFile(entry, 'utf8').catch(() => 'none')
    if (isLinux) {
      await test.step('starting at login is an entry in the autostart folder, and none when it is switched off', async () => {
        await watch.ask('setPreferences', { startsAtLogin: true })
        await expect.poll(entryText).toMatch(/^Exec=.+ --hidden$/m)
        expect(await entryText()).toMatch(/^TryExec=\/.+$/m)
        await watch.ask('setPreferences', { startsAtLogin: false })
        await expect.poll(entryText).toBe('none')
        await watch.ask('setPreferences', { startsAtLogin: true })
        await expect.poll(entryText).toContain('Exec=')
      })
    }
    const atEnd = await settingsOf(watch)
    await running.quit()
    if (isLinux) await appendFile(entry, 'Hidden=true\n')

    const { watch: again } = await bench.launchLive(addressOf(service))
    if (isLinux) {
      await test.step('starting at login, switched off by the desktop, stays off and the switch shows it', async () => {
        await again.open('Settings')
        await expect(again.page.getByRole('switch', { name: 'Start at login' })).not.toBeChecked()
        expect(await entryText()).toContain('Hidden=true')
      })
    }
    expect(await settingsOf(again)).toEqual({ ...atEnd, startsAtLogin: !isLinux })
  },
)
