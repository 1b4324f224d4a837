import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { indexCommands } from '../../../../main/features/index-page'
import { createLists } from '../../../../main/features/lists'
import { createSupport } from '../../../../main/features/support'
import { maxListFileBytes } from '../../../../main/lists/list-file'
import type { CommandAnswer } from '../../../../protocol/commands/contract'
import type { OpenedIndex } from '../../../../protocol/desktop'
import type { Outcome, Settings } from '../../../../core/model'
import type { SettingsChange } from '../../../../main/storage/settings'
import { featureCore } from '../../../support/feature-core'
import { readWorkbook } from '../../../support/read-workbook'
import { temporaryFolder } from '../../../support/temporary-folder'

const noon = Date.UTC(2023, 10, 1, 12)
const constituents = {
  value: '100.10',
  publishedAtMs: noon,
  constituents: [{ constituent: 'BTC', value: '79767.34', weightPercent: '100' }],
}

function start(opened?: OpenedIndex) {
  const core = featureCore()
  const { settings, dialogs } = core
  void settings.set({
    watchlists: [
      {
        id: 'a',
        name: 'Crypto',
        entries: [
          { id: 'BRTI', maxResolution: 'PER_SECOND' },
          { id: 'NEW', maxResolution: 'PER_SECOND' },
        ],
      },
      { id: 'b', name: 'Rates', entries: [] },
    ],
  })
  let value = '1.50'
  const quote = () => ({ id: 'BRTI', value, publishedAtMs: noon, source: 'stream' })
  const sources = {
    quotes: {
      store: { get: (id: string) => (id === 'BRTI' ? quote() : undefined), ageMs: () => 500 },
      pastValues: { facts: () => ({}) },
    },
    connections: {
      catalogue: [{ id: 'BRTI', name: 'Bitcoin', maxResolution: 'PER_200MS' }],
      status: { isDemo: false },
      originOf: () => ({ connection: 'Desk' }),
      resolutionOf: (id: string) => (id === 'BRR' ? 'DAILY' : 'PER_200MS'),
      refusal: () => undefined,
      views: [{ indexCount: 1 }],
    },
    changeLists: <T>(step: (now: Settings) => SettingsChange<T>) => settings.change(step),
    pages: { all: () => [], viewOf: (id: string) => (opened?.id === id ? opened : undefined) },
  }
  const commands = {
    ...createLists(core, sources as unknown as Parameters<typeof createLists>[1]).commands,
    ...indexCommands(core, sources as unknown as Parameters<typeof indexCommands>[1]),
    ...createSupport(core, {} as Parameters<typeof createSupport>[1]).commands,
  }
  const folder = temporaryFolder()
  const tick = (next: string) => {
    value = next
  }
  return { commands, dialogs, settings, folder, tick }
}

function importIdOf(chosen: Outcome<CommandAnswer<'chooseListFile'>>): string {
  return chosen.ok ? (chosen.value?.importId ?? '') : ''
}

const cancelled = { ok: true, value: null }

test('refuses a formula over an unlisted index, and suggests similar ones', async () => {
  const { commands, settings } = start()
  const refused = await commands.addIndex({ listId: 'a', indexId: 'BRTI \u2212 BRTJ' })
  expect(refused).toMatchObject({ ok: false, problem: { code: 'unknownPart' } })
  expect(refused).toMatchObject({ problem: { message: 'The provider does not list BRTJ. Did you mean BRTI?' } })
  expect(settings.get().watchlists[0]?.entries).toHaveLength(2)
})

test('refuses a mean of a daily rate, typed or in a file, and changes nothing', async () => {
  const { commands, settings } = start()
  const refused = await commands.addIndex({ listId: 'a', indexId: 'mean(BRR, 60)' })
  expect(refused).toMatchObject({ ok: false, problem: { code: 'unfitPart' } })
  const lists = [{ name: 'Means', entries: [{ id: 'BRTI' }, { id: 'mean(BRR, 60)' }] }]
  const text = JSON.stringify({ format: 'indexwatch-watchlists', version: 1, lists })
  expect(await commands.readLists({ text })).toMatchObject({
    problem: { message: expect.stringMatching(/^BRR publishes less often .* Nothing was imported\.$/) },
  })
  expect(settings.get().watchlists.map(({ name }) => name)).toEqual(['Crypto', 'Rates'])
})

describe('a table', () => {
  test('of a list is saved with the values at that time', async () => {
    const { commands, dialogs, folder, tick } = start()
    dialogs.path = join(folder, 'mine.csv')
    dialogs.meanwhile = () => tick('2.50')
    writeFileSync(dialogs.path, 'old')
    expect(await commands.saveListTable({ listId: 'a' })).toEqual({ ok: true, value: { fileName: 'mine.csv' } })
    expect(dialogs.suggested).toMatchObject([{ name: 'Crypto', kind: 'csv' }])
    const lines = readFileSync(dialogs.path, 'utf8').split('\n')
    expect(lines.slice(1, 3)).toEqual([
      'BRTI,Bitcoin,2.50,2023-11-01T12:00:00.000Z,,no,,,,,500,no,stream,Desk,PER_SECOND,no,',
      'NEW,,,,,,,,,,,,,,,no,No value received yet.',
    ])
    expect(readdirSync(folder)).toEqual(['mine.csv'])
    if (process.platform !== 'win32') expect(statSync(dialogs.path).mode & 0o111).toBe(0)
  })

  test('is saved in the format of the settings, in the region of the system', async () => {
    const { commands, dialogs, settings, folder, tick } = start()
    tick('2.50')
    await settings.set({ tableFormat: 'csv-excel' })
    dialogs.path = join(folder, 'mine.csv')
    await commands.saveListTable({ listId: 'a' })
    expect(readFileSync(dialogs.path, 'utf8').split('\r\n')[1]).toMatch(/^BRTI;Bitcoin;2,50;2023-11-01 12:00:00;0;/)
    await settings.set({ tableFormat: 'xlsx' })
    dialogs.path = join(folder, 'mine.xlsx')
    await commands.saveListTable({ listId: 'a' })
    const { Watchlist } = await readWorkbook(readFileSync(dialogs.path))
    expect(Watchlist?.[1]?.[2]).toMatchObject({ text: '2.50', isText: false, format: '0.00' })
    expect(dialogs.suggested.map(({ kind }) => kind)).toEqual(['csv-excel', 'xlsx'])
  })

  test('of constituents is that of the open page', async () => {
    const { commands, dialogs, folder } = start({ id: 'NCI', constituents, problems: [] })
    dialogs.path = join(folder, 'nci.csv')
    expect(await commands.saveConstituentsTable({ indexId: 'NCI' })).toEqual({
      ok: true,
      value: { fileName: 'nci.csv' },
    })
    expect(readFileSync(dialogs.path, 'utf8')).toContain('NCI,2023-11-01T12:00:00.000Z,,BTC,79767.34,100,,')
    expect(await commands.saveConstituentsTable({ indexId: 'UC5' })).toMatchObject({
      problem: { code: 'noConstituents' },
    })
  })

  test('of contributions is that of the open page, since the chosen baseline', async () => {
    const closing = { ...constituents, value: '99.10', publishedAtMs: noon - 1_000 }
    const { commands, dialogs, folder } = start({ id: 'NCI', constituents, closing, problems: [] })
    dialogs.path = join(folder, 'points.csv')
    const saved = await commands.savePointsTable({ indexId: 'NCI', since: 'close' })
    expect(saved).toEqual({ ok: true, value: { fileName: 'points.csv' } })
    expect(dialogs.suggested).toMatchObject([{ name: 'NCI contributions', kind: 'csv' }])
    expect(readFileSync(dialogs.path, 'utf8')).toContain(',index,,99.10,100.10,,,1.00')
    for (const asked of [{ indexId: 'NCI', since: 'base' } as const, { indexId: 'UC5', since: 'close' } as const]) {
      expect(await commands.savePointsTable(asked)).toMatchObject({ problem: { code: 'noConstituents' } })
    }
  })

  test('is not saved if the user cancels or the list is gone', async () => {
    const { commands, dialogs } = start()
    expect(await commands.saveListTable({ listId: 'a' })).toEqual(cancelled)
    expect(await commands.exportLists({ listIds: ['a'] })).toEqual(cancelled)
    expect(await commands.saveListTable({ listId: 'x' })).toMatchObject({ problem: { code: 'unknownList' } })
    expect(await commands.exportLists({ listIds: ['a', 'x'] })).toMatchObject({ problem: { code: 'unknownList' } })
    expect(dialogs.suggested).toHaveLength(2)
  })

  test('with the maximum number of the longest ids can be restored', async () => {
    const { commands, settings, dialogs } = start()
    const entries = Array.from({ length: 2_000 }, (_, at) => ({
      id: `X${at}`.padEnd(64, 'x'),
      maxResolution: 'PER_SECOND' as const,
    }))
    const listIds = ['a', 'b', 'c', 'd', 'e']
    await settings.set({ watchlists: listIds.map((id) => ({ id, name: id, entries })) })
    dialogs.path = join(temporaryFolder(), 'lists.json')
    expect(await commands.exportLists({ listIds })).toMatchObject({ ok: true })
    await settings.set({ watchlists: [{ id: 'f', name: 'f', entries: [] }] })
    const chosen = await commands.chooseListFile()
    expect(chosen).toMatchObject({ ok: true })
    expect(await commands.importLists({ importId: importIdOf(chosen) })).toMatchObject({ ok: true })
    expect(settings.get().watchlists.map((list) => list.entries.length)).toEqual([0, 2_000, 2_000, 2_000, 2_000, 2_000])
  })

  test('that cannot be saved is reported by name, and the old file stays', async () => {
    const { commands, dialogs, folder } = start()
    dialogs.path = join(folder, 'taken.csv')
    mkdirSync(dialogs.path)
    const answer = await commands.saveListTable({ listId: 'a' })
    expect(answer.ok ? '' : answer.problem.message).toContain('taken.csv was not saved')
    expect(readdirSync(folder)).toEqual(['taken.csv'])
  })
})

describe('lists', () => {
  test('are exported in their own order and imported once after a preview', async () => {
    const { commands, dialogs, settings, folder } = start()
    dialogs.path = join(folder, 'lists.json')
    expect(await commands.exportLists({ listIds: ['b', 'a'] })).toEqual({ ok: true, value: { fileName: 'lists.json' } })
    expect(dialogs.suggested.at(-1)?.name).toBe('Watchlists')
    const before = settings.get().watchlists
    await settings.set({
      watchlists: [{ id: 'c', name: 'rates', entries: [{ id: 'BRR', maxResolution: 'PER_SECOND' }] }],
    })
    const chosen = await commands.chooseListFile()
    const preview = {
      fileName: 'lists.json',
      adds: 2,
      changes: 0,
      lists: [
        { name: 'Crypto', isNew: true, adds: ['BRTI', 'NEW'], changes: [] },
        { name: 'rates', isNew: false, adds: [], changes: [] },
      ],
    }
    expect(chosen).toMatchObject({ ok: true, value: preview })
    // A preview changes nothing.
    expect(settings.get().watchlists).toHaveLength(1)
    const importId = importIdOf(chosen)
    expect(await commands.importLists({ importId: 'other' })).toMatchObject({ problem: { code: 'unknownImport' } })
    expect(await commands.importLists({ importId })).toMatchObject({ ok: true, value: { adds: 2, changes: 0 } })
    expect(settings.get().watchlists.map(({ name }) => name)).toEqual(['rates', 'Crypto'])
    expect(settings.get().watchlists[1]?.entries).toEqual(before[0]?.entries)
    expect(await commands.importLists({ importId })).toMatchObject({ problem: { code: 'unknownImport' } })
  })

  test('of an earlier file are forgotten, but not if the user cancels', async () => {
    const { commands, dialogs, folder } = start()
    const path = join(folder, 'lists.json')
    dialogs.path = path
    await commands.exportLists({ listIds: ['a'] })
    const first = await commands.chooseListFile()
    dialogs.path = undefined
    expect(await commands.chooseListFile()).toEqual(cancelled)
    dialogs.path = path
    const second = await commands.chooseListFile()
    expect(await commands.importLists({ importId: importIdOf(first) })).toMatchObject({
      problem: { code: 'unknownImport' },
    })
    expect(await commands.importLists({ importId: importIdOf(second) })).toMatchObject({ ok: true })
  })

  test.each([
    ['too large', 'x'.repeat(maxListFileBytes + 1), 'tooLarge'],
    ['no text', Buffer.from('BRTI', 'utf16le'), 'notText'],
    ['no JSON', '{ BRTI', 'notJson'],
    ['without a ticker', 'Symbol,Name\n', 'otherFormat'],
    ['of 1 MB of tickers', 'BRTI\n'.repeat(210_000), 'tooLarge'],
    ['none of ours', '{}', 'otherFormat'],
  ])('of a file that is %s are refused', async (_, content, code) => {
    const { commands, dialogs, folder } = start()
    dialogs.path = join(folder, 'lists.json')
    writeFileSync(dialogs.path, content)
    expect(await commands.chooseListFile()).toMatchObject({ ok: false, problem: { code } })
    dialogs.path = join(folder, 'gone.json')
    expect(await commands.chooseListFile()).toMatchObject({ ok: false, problem: { code: 'unreadable' } })
  })
})

describe('tickers', () => {
  const tickerFile = '\ufeff###Majors,COINBASE:BTCUSD,FOO:BAR\r\n###Others,NEW'

  test('of a UTF-16 file are previewed, and only the chosen ones imported with their sections', async () => {
    const { commands, dialogs, settings, folder } = start()
    dialogs.path = join(folder, 'Desk.txt')
    writeFileSync(dialogs.path, Buffer.from(tickerFile, 'utf16le'))
    const chosen = await commands.chooseListFile()
    expect(chosen).toMatchObject({
      ok: true,
      value: {
        fileName: 'Desk.txt',
        name: 'Desk',
        sections: [
          {
            name: 'Majors',
            tickers: [
              { line: 1, text: 'COINBASE:BTCUSD', match: { kind: 'near', id: 'BRTI', isSame: true } },
              { line: 1, text: 'FOO:BAR', match: { kind: 'unknown' } },
            ],
          },
          { name: 'Others', tickers: [{ line: 2, text: 'NEW', match: { kind: 'unknown' } }] },
        ],
      },
    })
    const before = settings.get().watchlists
    const done = await commands.importLists({ importId: importIdOf(chosen), taken: [0, 1, 2], into: 'rates' })
    expect(done).toMatchObject({ ok: true, value: { adds: 1, changes: 0 } })
    const [, rates] = settings.get().watchlists
    expect(rates).toMatchObject({ name: 'Rates', entries: [{ id: 'BRTI' }], sections: [{ name: 'Majors', at: 0 }] })
    await commands.undoRows((done.ok && done.value.undo) || { rowIds: ['none'], lists: [] })
    expect(settings.get().watchlists).toEqual(before)
  })

  test('of a pasted text make a new list, which undo removes unless it got other rows', async () => {
    const { commands, settings } = start()
    const before = settings.get().watchlists
    const paste = async () => {
      const read = await commands.readLists({ text: 'BTC\nBTCUSDT' })
      expect(read).toMatchObject({ ok: true, value: { fileName: 'pasted text', name: 'Imported' } })
      const importId = read.ok ? read.value.importId : ''
      const done = await commands.importLists({ importId, taken: [0], into: 'Imported' })
      expect(settings.get().watchlists[2]).toMatchObject({ name: 'Imported', entries: [{ id: 'BRTI' }] })
      return (done.ok && done.value.undo) || { rowIds: ['none'], lists: [] }
    }
    expect(await commands.undoRows(await paste())).toMatchObject({ ok: true })
    expect(settings.get().watchlists).toEqual(before)
    const undo = await paste()
    await commands.addIndex({ listId: settings.get().watchlists[2]?.id ?? '', indexId: 'BRR' })
    await commands.undoRows(undo)
    expect(settings.get().watchlists[2]).toMatchObject({ name: 'Imported', entries: [{ id: 'BRR' }] })
  })

  test('that do not fit change nothing', async () => {
    const { commands, settings } = start()
    const entries = Array.from({ length: 2_000 }, (_, at) => ({ id: `X${at}`, maxResolution: 'PER_SECOND' as const }))
    await settings.set({ watchlists: [{ id: 'a', name: 'Full', entries }] })
    const read = await commands.readLists({ text: 'BRTI' })
    const importId = read.ok ? read.value.importId : ''
    expect(await commands.importLists({ importId, taken: [0], into: 'Full' })).toMatchObject({
      problem: { code: 'listFull' },
    })
    expect(settings.get().watchlists[0]?.entries).toHaveLength(2_000)
  })
})

test('copies a text', async () => {
  const { commands, dialogs } = start()
  expect(await commands.copyText({ text: 'BRTI\t1.50' })).toEqual(cancelled)
  expect(dialogs.copied).toEqual(['BRTI\t1.50'])
})
