import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AlertEngine } from '../../../../main/alerts/engine'
import { ProfileFiles } from '../../../../main/app/profile-files'
import { FakeClock } from '../../../support/fake-clock'
import { RecordedLog } from '../../../support/recorded-log'
import { levelDraft } from '../../../support/sample-alerts'
import { temporaryFolder } from '../../../support/temporary-folder'

/** The engine on the files of a folder, as the app has them. */
async function open(folder: string) {
  const clock = new FakeClock()
  const engine = new AlertEngine({
    clock,
    newId: randomUUID,
    log: new RecordedLog(),
    cadenceOf: () => 'PER_SECOND',
  })
  const notices: string[] = []
  engine.events.on('notice', (notice) => notices.push(notice))
  const kind = await engine.use(new ProfileFiles(folder, clock).alerts('real'))
  const levels = () => engine.views().map(({ terms }) => ('level' in terms ? terms.level : ''))
  return { engine, notices, kind, levels }
}

/** A folder with two rules, of which the copy knows the first alone. */
async function used() {
  const folder = temporaryFolder()
  const { engine } = await open(folder)
  for (const level of ['100', '200']) await engine.create(levelDraft(level), 'wait', undefined)
  await engine.flush()
  const path = join(folder, 'alerts.json')
  return { folder, path, text: readFileSync(path, 'utf8') }
}

const asideOf = (folder: string) => readdirSync(folder).filter((name) => name.includes('.corrupt-'))

describe('a damaged file of alerts is set aside, and its copy goes on', () => {
  test.each<[string, (text: string) => string | Buffer]>([
    ['empty', () => ''],
    ['truncated', (text) => text.slice(0, text.length / 2)],
    ['filled with NUL', (text) => '\0'.repeat(text.length)],
    ['in UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['an empty array', () => '[]'],
    ['a number', () => '42'],
    ['null', () => 'null'],
    ['of another shape', () => '{"version":1,"rules":{}}'],
    ['without a version', (text) => text.replace('"version":1,', '')],
    ['deeper than any of ours', (text) => text.replace('"rules":[', `"rules":[${'['.repeat(50)}${']'.repeat(50)},`)],
    ['a prototype', () => '{"__proto__":{"version":1,"rules":[],"states":{},"inbox":[]}}'],
  ])('%s', async (_name, damage) => {
    const { folder, path, text } = await used()
    const damaged = damage(text)
    writeFileSync(path, damaged)
    const { kind, notices, levels, engine } = await open(folder)
    expect(kind).toBe('restored')
    expect(levels()).toEqual(['100'])
    expect(notices).toEqual([expect.stringContaining('The last good copy is in use: check your alerts.')])
    const [aside = ''] = asideOf(folder)
    expect(readFileSync(join(folder, aside))).toEqual(Buffer.from(damaged))
    await engine.create(levelDraft('300'), 'wait', undefined)
    await engine.flush()
    expect((await open(folder)).levels()).toEqual(['100', '300'])
  })

  test('with no copy the app starts with none, says so and keeps what there was', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'alerts.json'), '{"version":1,"rules":[{"id"')
    const { kind, notices, levels } = await open(folder)
    expect(kind).toBe('lost')
    expect(levels()).toEqual([])
    expect(notices).toEqual([expect.stringContaining('create your alerts again. The damaged file is kept as')])
    expect(asideOf(folder)).toHaveLength(1)
  })
})

describe('a file of alerts is used as it is', () => {
  test('with a byte order mark', async () => {
    const { folder, path, text } = await used()
    writeFileSync(path, `\ufeff${text}`)
    expect(await open(folder).then(({ kind, levels, notices }) => [kind, levels(), notices])).toEqual([
      'ok',
      ['100', '200'],
      [],
    ])
  })

  test('with one bad rule among good ones, which is told and kept in it', async () => {
    const { folder, path, text } = await used()
    writeFileSync(path, text.replace('"rules":[', '"rules":[{"id":"bad","indexId":"BRTI","terms":"guess"},'))
    const { kind, levels, notices, engine } = await open(folder)
    expect([kind, levels()]).toEqual(['ok', ['100', '200']])
    expect(notices).toEqual([
      'Entries of the alerts file alerts.json that could not be read: 1. They are kept aside in it; check your alerts.',
    ])
    await engine.flush()
    expect(readFileSync(path, 'utf8')).toContain('"terms":"guess"')
    expect((await open(folder)).notices).toEqual([])
  })

  test('with keys that would change every object, which they do not', async () => {
    const { folder, path, text } = await used()
    const states = text.replace('"states":{', '"states":{"__proto__":{"isDone":true},"constructor":{"isDone":true},')
    writeFileSync(path, states)
    const { kind, levels } = await open(folder)
    expect([kind, levels()]).toEqual(['ok', ['100', '200']])
    expect(({} as { isDone?: boolean }).isDone).toBeUndefined()
  })

  test('unless it is of a newer version: then it is left alone, byte by byte, and nothing can be made', async () => {
    const { folder, path, text } = await used()
    const newer = text.replace('"version":1', '"version":2')
    writeFileSync(path, newer)
    const { levels, notices, engine } = await open(folder)
    expect(levels()).toEqual([])
    expect(notices).toEqual([expect.stringContaining('was written by a newer version of Indexwatch')])
    expect(await engine.create(levelDraft('300'), 'wait', undefined)).toMatchObject({
      ok: false,
      problem: { code: 'newerAlerts' },
    })
    await engine.flush()
    expect(readFileSync(path, 'utf8')).toBe(newer)
    expect(asideOf(folder)).toEqual([])
  })
})
