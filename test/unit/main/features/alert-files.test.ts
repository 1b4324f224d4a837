import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maxRules } from '../../../../main/alerts/refusals'
import { maxRuleFileBytes } from '../../../../main/alerts/rule-file'
import { alertCommands } from '../../../../main/features/alert-commands'
import type { AlertDraft } from '../../../../core/alerts'
import type { CommandAnswer } from '../../../../protocol/commands/contract'
import type { Outcome } from '../../../../core/model'
import { featureCore } from '../../../support/feature-core'
import { openAlerts } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'
import { temporaryFolder } from '../../../support/temporary-folder'
import { valueOf } from '../../../support/value-of'

const listed = [{ id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', maxResolution: 'PER_SECOND' }]

async function start({ views = [{ indexCount: 1 }] } = {}) {
  const { engine, clock, history: record, publish, fired, quotes } = await openAlerts()
  let listedReads = 0
  const core = featureCore({ clock, webhooks: () => engine.views().map(({ webhookUrl }) => webhookUrl) })
  const { dialogs } = core
  const sources = {
    alerts: engine,
    listAlerts: { get: () => undefined },
    quotes: { store: quotes },
    reachWatch: { constituentsOf: () => undefined, conditionsOf: () => undefined },
    connections: {
      get catalogue() {
        listedReads++
        return listed
      },
      views,
      refusal: () => undefined,
    },
  }
  const commands = alertCommands(core, sources as unknown as Parameters<typeof alertCommands>[1])
  const path = join(temporaryFolder(), 'mine.json')
  dialogs.path = path
  const create = async (draft: AlertDraft) => {
    const made = valueOf(await engine.create(draft, 'wait', undefined))
    return made.id
  }
  /** Chooses a file with these rules. */
  const choose = (rules: readonly unknown[]) => {
    writeFileSync(path, JSON.stringify({ format: 'indexwatch-alerts', version: 1, rules }))
    return commands.chooseAlertFile()
  }
  return { engine, commands, dialogs, path, record, create, choose, publish, fired, listedReads: () => listedReads }
}

function importIdOf(chosen: Outcome<CommandAnswer<'chooseAlertFile'>>): string {
  return chosen.ok ? (chosen.value?.importId ?? '') : ''
}

const cancelled = { ok: true, value: null }

describe('rules are exported', () => {
  test('all or some to the chosen file, and import unchanged', async () => {
    const first = await start()
    await first.create(levelDraft('1'))
    const second = await first.create({ ...levelDraft('2'), note: 'Second', cooldownMs: 60_000 })
    expect(await first.commands.exportAlerts({ ruleIds: [second] })).toEqual({
      ok: true,
      value: { fileName: 'mine.json' },
    })
    expect(JSON.parse(readFileSync(first.path, 'utf8'))).toMatchObject({ rules: [{ note: 'Second' }] })
    await first.commands.exportAlerts({})
    expect(first.dialogs.suggested.at(-1)).toEqual({ name: 'Alerts', kind: 'alerts' })

    const other = await start()
    writeFileSync(other.path, readFileSync(first.path))
    const chosen = await other.commands.chooseAlertFile()
    await other.commands.importAlerts({ importId: importIdOf(chosen) })
    const plain = (rules: ReturnType<typeof first.engine.views>) =>
      rules.map(({ indexId, terms, note, cooldownMs }) => ({ indexId, terms, note, cooldownMs }))
    expect(plain(other.engine.views())).toEqual(plain(first.engine.views()))
  })

  test('unless there is none, one was deleted or the user cancels', async () => {
    const { commands, dialogs, create } = await start()
    expect(await commands.exportAlerts({})).toMatchObject({ problem: { code: 'noRules' } })
    const id = await create(levelDraft('1'))
    expect(await commands.exportAlerts({ ruleIds: [id, 'gone'] })).toMatchObject({ problem: { code: 'unknownRule' } })
    expect(dialogs.suggested).toEqual([])
    dialogs.path = undefined
    expect(await commands.exportAlerts({})).toEqual(cancelled)
    expect(await commands.chooseAlertFile()).toEqual(cancelled)
  })

  test('10,000 with the longest notes can be imported again, and not one more', async () => {
    const { engine, commands, path } = await start()
    const long = (level: number): AlertDraft => ({ ...levelDraft(`${level}`), note: 'n'.repeat(500) })
    await engine.createAll(
      Array.from({ length: maxRules }, (_, at) => long(at)),
      () => undefined,
    )
    expect(await commands.exportAlerts({})).toMatchObject({ ok: true })
    const other = await start()
    writeFileSync(other.path, readFileSync(path))
    const chosen = await other.commands.chooseAlertFile()
    expect(chosen).toMatchObject({ ok: true, value: { sameCount: 0 } })
    expect(await other.commands.importAlerts({ importId: importIdOf(chosen) })).toMatchObject({
      value: { adds: maxRules },
    })
    expect(other.engine.views().map(({ terms }) => terms)).toEqual(engine.views().map(({ terms }) => terms))
    expect(await other.choose([levelDraft('50000')])).toMatchObject({ problem: { code: 'tooManyRules' } })
  })
})

test('the requested part of the inbox is saved as a table', async () => {
  const { commands, dialogs, path, create, publish, fired } = await start()
  await create(levelDraft('100'))
  publish('99')
  publish('100.50')
  await expect.poll(() => fired.length).toBe(1)
  expect(await commands.saveInboxTable({ query: {} })).toEqual({ ok: true, value: { fileName: 'mine.json' } })
  expect(dialogs.suggested).toEqual([{ name: 'Alert inbox', kind: 'csv' }])
  expect(readFileSync(path, 'utf8')).toContain('100.50')
  await commands.saveInboxTable({ query: { search: 'ETHUSD' } })
  expect(readFileSync(path, 'utf8')).not.toContain('100.50')
})

describe('rules are imported', () => {
  test('and start with the latest value, so that the next one can be a crossing', async () => {
    const { engine, choose, commands, publish, fired } = await start()
    publish('67000')
    await commands.importAlerts({ importId: importIdOf(await choose([levelDraft('68000')])) })
    expect(engine.views()).toMatchObject([{ phase: 'armed' }])
    publish('69000')
    await engine.flush()
    expect(fired).toHaveLength(1)
  })

  test('after a preview of sentences, unknown indices, hosts and duplicates', async () => {
    const { engine, choose, create, commands, record } = await start()
    await create(levelDraft('1.00'))
    const chosen = await choose([
      levelDraft('1'),
      { ...levelDraft('68500.00'), webhookUrl: 'https://hooks.example.com:8443/a?key=1' },
      levelDraft('5', { indexId: 'XYZ', condition: 'fallsTo' }),
    ])
    expect(chosen).toEqual({
      ok: true,
      value: {
        importId: 'id-1',
        fileName: 'mine.json',
        adds: [
          {
            sentence: 'BRTI rises to 68,500.00',
            webhookHost: 'hooks.example.com:8443',
          },
          { sentence: 'XYZ falls to 5', reach: { cannotFire: 'the provider does not list XYZ for this key' } },
        ],
        sameCount: 1,
      },
    })
    // A preview changes nothing.
    expect(engine.views()).toHaveLength(1)
    expect(await commands.importAlerts({ importId: 'import-0' })).toMatchObject({ problem: { code: 'unknownImport' } })
    expect(await commands.importAlerts({ importId: 'id-1' })).toEqual({ ok: true, value: { adds: 2 } })
    expect(engine.views().map(({ indexId }) => indexId)).toEqual(['BRTI', 'BRTI', 'XYZ'])
    expect(JSON.stringify(record.written.at(-1))).toContain('hooks.example.com')
    expect(await commands.importAlerts({ importId: 'id-1' })).toMatchObject({ problem: { code: 'unknownImport' } })
  })

  test('and wait for their condition, even if it is already true', async () => {
    const { choose, commands, publish, fired } = await start()
    publish('101')
    await commands.importAlerts({ importId: importIdOf(await choose([levelDraft('100')])) })
    publish('102')
    publish('99')
    expect(fired).toEqual([])
    publish('100')
    await expect.poll(() => fired.length).toBe(1)
  })

  test('without a rule that was created since the file was chosen', async () => {
    const { engine, choose, create, commands } = await start()
    const chosen = await choose([levelDraft('1'), levelDraft('2')])
    await create(levelDraft('2.0'))
    expect(await commands.importAlerts({ importId: importIdOf(chosen) })).toEqual({ ok: true, value: { adds: 1 } })
    expect(engine.views()).toHaveLength(2)
  })

  test('and an index is unknown only after every service has listed its indices', async () => {
    const { choose } = await start({ views: [{ indexCount: 1 }, { indexCount: 0 }] })
    expect(await choose([levelDraft('5', { indexId: 'XYZ' })])).toMatchObject({
      value: { adds: [{ reach: 'unchecked' }] },
    })
  })

  test.each([
    ['too large', '', 'tooLarge'],
    ['not UTF-8', Buffer.from('\ufeff{}', 'utf16le'), 'notText'],
    ['no JSON', 'BRTI', 'notJson'],
  ])('not at all from a file that is %s', async (_, content, code) => {
    const { engine, commands, dialogs, path, choose } = await start()
    const earlier = importIdOf(await choose([levelDraft('1')]))
    writeFileSync(path, content)
    if (code === 'tooLarge') truncateSync(path, maxRuleFileBytes + 1)
    expect(await commands.chooseAlertFile()).toMatchObject({ ok: false, problem: { code } })
    // The previous file cannot be imported unseen either.
    expect(await commands.importAlerts({ importId: earlier })).toMatchObject({ problem: { code: 'unknownImport' } })
    expect(engine.views()).toEqual([])
    dialogs.path = `${path}.gone`
    expect(await commands.chooseAlertFile()).toMatchObject({ ok: false, problem: { code: 'unreadable' } })
  })

  test("with the services' lists read once for the file and once for the preview", async () => {
    const { choose, listedReads } = await start()
    expect(await choose(Array.from({ length: 300 }, (_, at) => levelDraft(`${at}`)))).toMatchObject({ ok: true })
    expect(listedReads()).toBe(2)
  })
})
