import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxProfiles } from '../../../../main/connections/profiles'
import { maxEntriesInAll, maxLists } from '../../../../main/lists/list-changes'
import { maxEntries } from '../../../../core/settings-schema'
import type { SettingsFile } from '../../../../main/storage/settings-file'
import { firstSettings, readSettings, toDocument } from '../../../../main/storage/settings'
import { columnPx, listColumns, type Settings } from '../../../../core/model'
import { maxGlanceIds } from '../../../../core/shapes'
import { FakeClock } from '../../../support/fake-clock'
import { canMount, smallDisk } from '../../../support/small-disk'
import { temporaryFolder } from '../../../support/temporary-folder'

const clock = new FakeClock()
let folder = ''

beforeEach(() => {
  folder = temporaryFolder()
})

const light = toDocument({ ...firstSettings(), theme: 'light' })
const dark = toDocument({ ...firstSettings(), theme: 'dark' })
const long = (letter: string) =>
  toDocument({ ...firstSettings(), watchlists: [{ id: 'a', name: letter, entries: manyEntries(letter) }] })

function manyEntries(letter: string) {
  return Array.from({ length: 1_500 }, (_, at) => ({ id: `${letter}${at}`, maxResolution: 'PER_SECOND' as const }))
}

let openIn: (folder: string) => SettingsFile
let electronStore: typeof import('electron-store').default

// Outside Electron the package only returns the path of the program, and downloads it if that is unknown.
beforeAll(async () => {
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] ??= tmpdir()
  const { SettingsFile } = await import('../../../../main/storage/settings-file')
  openIn = (folder) => new SettingsFile({ path: join(folder, 'settings.json'), clock })
  electronStore = (await import('electron-store')).default
})

async function written(folder: string, ...documents: unknown[]): Promise<SettingsFile> {
  const file = openIn(folder)
  await file.read()
  for (const document of documents) expect(await file.write(document)).toEqual({ ok: true, value: null })
  return file
}

test.runIf(process.platform !== 'win32')('a pipe that replaces the file is not waited for', async () => {
  const file = openIn(folder)
  await file.read()
  execFileSync('mkfifo', [join(folder, 'settings.json')])
  expect(await file.write(light)).toEqual({ ok: true, value: null })
  execFileSync('rm', [join(folder, 'settings.json')])
  execFileSync('mkfifo', [join(folder, 'settings.json')])
  expect(await file.write(dark)).toEqual({ ok: true, value: null })
  expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toEqual(dark)
})

test('the settings file is electron-store’s, with a copy of the same version beside it', async () => {
  await written(folder, light, dark)
  const store = new electronStore({ cwd: folder, name: 'settings' })
  expect({ ...store.store }).toEqual(dark)
  expect(JSON.parse(readFileSync(join(folder, 'settings.json.bak'), 'utf8'))).toEqual(dark)
  expect(readdirSync(folder).toSorted()).toEqual(['settings.json', 'settings.json.bak'])
  expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: dark })
  expect(openIn(folder).name).toBe('settings.json')
  if (process.platform !== 'win32') expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o600)
})

test('a change of one of many at once: the last is kept', async () => {
  const file = await written(folder)
  const outcomes = await Promise.all([light, dark, light, dark].map((document) => file.write(document)))
  expect(outcomes.every((outcome) => outcome.ok)).toBe(true)
  expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: dark })
})

test.each([
  ['empty', ''],
  ['cut off', JSON.stringify(dark).slice(0, -9)],
  ['UTF-16', Buffer.from(`\ufeff${JSON.stringify(dark)}`, 'utf16le')],
  ['a list', '[1,2]'],
  ['a number', '42'],
  ['no settings', '{"version":1,"theme":"sepia"}'],
])('a file that is %s is set aside and the copy used, then saved again', async (_, content) => {
  await written(folder, light, dark)
  writeFileSync(join(folder, 'settings.json'), content)
  const file = openIn(folder)
  const read = await file.read()
  expect(read).toMatchObject({ kind: 'restored', value: dark })
  expect('setAsidePath' in read && readFileSync(read.setAsidePath ?? '')).toEqual(Buffer.from(content))
  expect(await file.write(dark)).toEqual({ ok: true, value: null })
  expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: dark })
})

test.each([
  ['the start of the app, with a byte order mark', `\ufeff${JSON.stringify(light)}`],
  ['the app was started, by somebody who broke it', '{'],
])('a file changed before %s is overwritten whole by the next change', async (_, content) => {
  const file = await written(folder, light)
  writeFileSync(join(folder, 'settings.json'), content)
  expect(await file.write(dark)).toEqual({ ok: true, value: null })
  expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: dark })
})

test('a file with an invalid field is copied aside once', async () => {
  const content = JSON.stringify({ ...dark, theme: 'sepia' })
  writeFileSync(join(folder, 'settings.json'), content)
  const file = openIn(folder)
  const read = await file.read()
  const setAsidePath = join(folder, 'settings.corrupt-20231101-120000.json')
  expect(read).toEqual({ kind: 'ok', value: JSON.parse(content) as unknown, setAsidePath })
  expect(await file.write(light)).toEqual({ ok: true, value: null })
  expect(readFileSync(setAsidePath, 'utf8')).toBe(content)
  expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: light })
  expect(readdirSync(folder).filter((name) => name.includes('corrupt'))).toHaveLength(1)
})

test('the file of a newer version is read and not changed', async () => {
  const newer = JSON.stringify({ version: 99, anything: true })
  writeFileSync(join(folder, 'settings.json'), newer)
  expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: { version: 99, anything: true } })
  expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe(newer)
})

/** This many characters that take six bytes each in the file. */
const widest = (length: number) => '\u0001'.repeat(length)

/** The largest settings that commands allow, with all texts at their limit. */
function largestSettings(): Settings {
  const longId = (number: number) => `${number}${'x'.repeat(64)}`.slice(0, 64)
  const perList = maxEntriesInAll / maxLists
  return {
    ...firstSettings(),
    watchlists: Array.from({ length: maxLists }, (_, at) => ({
      id: longId(at),
      name: `${at}${widest(60)}`.slice(0, 60),
      entries: Array.from({ length: perList }, (_, place) => ({ id: longId(place), maxResolution: 'PER_SECOND' })),
      sort: { column: 'published', isDescending: false },
      columns: [...listColumns],
      widths: Object.fromEntries(['index', ...listColumns].map((column) => [column, columnPx.max])),
    })),
    pinnedIds: Array.from({ length: maxGlanceIds }, (_, at) => longId(at)),
    profiles: Array.from({ length: maxProfiles }, (_, at) => ({
      id: longId(at),
      auth: 'subprotocol',
      isEnabled: true,
      name: widest(60),
      webSocketUrl: `wss://a.example/${widest(2048)}`.slice(0, 2048),
      restUrl: `https://a.example/${widest(2048)}`.slice(0, 2048),
      mcpUrl: `https://a.example/${widest(2048)}`.slice(0, 2048),
      keyId: widest(256),
    })),
  }
}

test('as much as there may ever be is read back whole', async () => {
  const largest = toDocument(largestSettings())
  await written(folder, largest)
  expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: largest })
  expect(readSettings(largest)).toEqual({ kind: 'ok', settings: largestSettings(), dropped: [] })
  // Control: the former limits allowed more than can be read.
  const [list] = largest.watchlists
  const entries = Array.from({ length: maxEntries }, (_, at) => ({
    id: `x${at}`.padEnd(64, 'x'),
    maxResolution: 'PER_SECOND',
  }))
  await written(folder, { ...largest, watchlists: Array.from({ length: 22 }, () => ({ ...list, entries })) })
  expect(await openIn(folder).read()).not.toMatchObject({ kind: 'ok' })
})

describe.runIf(canMount)('on a full disk', () => {
  test('electron-store itself reports success and destroys the file', () => {
    const { folder, fill } = smallDisk()
    const store = new electronStore<ReturnType<typeof long>>({ cwd: folder, name: 'settings' })
    store.store = long('a')
    fill(8_192)
    store.store = long('b')
    expect(() => new electronStore({ cwd: folder, name: 'settings' })).toThrow(SyntaxError)
  })

  test.each([0, 4_096, 8_192, 65_536])('with %i bytes free the settings stay as they were', async (freeBytes) => {
    const { folder, fill, free } = smallDisk()
    const file = await written(folder, long('a'))
    fill(freeBytes)
    expect(await file.write(long('b'))).toMatchObject({ ok: false, problem: { code: 'diskFull' } })
    expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: long('a') })
    free()
    expect(await file.write(long('b'))).toEqual({ ok: true, value: null })
    expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: long('b') })
  })

  test('with room for one copy but not for two the change is saved', async () => {
    const { folder, fill } = smallDisk()
    const size = JSON.stringify(long('b'), undefined, 2).length
    const file = await written(folder, light)
    // The settings fit on the disk, their copy does not.
    fill(Math.ceil(size / 4_096) * 4_096 + 8_192)
    expect(await file.write(long('b'))).toEqual({ ok: true, value: null })
    expect(await openIn(folder).read()).toEqual({ kind: 'ok', value: long('b') })
    expect(JSON.parse(readFileSync(join(folder, 'settings.json.bak'), 'utf8'))).toEqual(light)
  })
})
