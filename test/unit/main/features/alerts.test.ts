import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { alertCommands } from '../../../../main/features/alert-commands'
import { ListAlerts } from '../../../../main/alerts/list-alerts'
import { gateTo } from '../../../../main/ipc/gate'
import type { AlertDraft, AlertTerms } from '../../../../core/alerts'
import type { CommandHandlers } from '../../../../protocol/commands/contract'
import { fromJson } from '../../../../protocol/json'
import type { IndexInfo } from '../../../../core/model'
import { featureCore } from '../../../support/feature-core'
import { openAlerts } from '../../../support/open-alerts'
import { RecordedLog } from '../../../support/recorded-log'
import { levelDraft } from '../../../support/sample-alerts'
import { temporaryFolder } from '../../../support/temporary-folder'
import { valueOf } from '../../../support/value-of'

// Arguments that an old or a hostile page may send. The page's own checks do not count.
const brti: IndexInfo = { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', maxResolution: 'PER_SECOND', base: 'BTC' }
const own = { page: 'window', isTopFrame: true, url: 'app://indexwatch/index.html' } as const
const day = 86_400_000

async function start() {
  const opened = await openAlerts()
  const { engine, quotes, history } = opened
  const core = featureCore({ ...opened, webhooks: () => engine.views().map(({ webhookUrl }) => webhookUrl) })
  const { dialogs } = core
  dialogs.path = join(temporaryFolder(), 'rules.json')
  const listAlerts = new ListAlerts({
    ...{ ...core, engine },
    watchlists: () => core.settings.get().watchlists,
    areListsKnown: () => true,
    checker: () => () => undefined,
    latestOf: () => undefined,
  })
  listAlerts.check()
  await listAlerts.settled()
  const sources = {
    alerts: engine,
    listAlerts,
    quotes: { store: quotes },
    reachWatch: { constituentsOf: () => undefined, conditionsOf: () => undefined },
    connections: {
      catalogue: [brti],
      views: [{ indexCount: 1 }],
      refusal: () => undefined,
      resolutionOf: () => brti.maxResolution,
    },
    rangeTester: { run: (task: unknown) => Promise.resolve({ ok: true, value: task }) },
  }
  const handlers = alertCommands(core, sources as unknown as Parameters<typeof alertCommands>[1])
  const gate = gateTo({ handlers: handlers as unknown as CommandHandlers, log: new RecordedLog() })
  const create = (draft: unknown) => gate('createAlert', own, { draft, whenAlreadyMet: 'wait' })
  const kept = await create(levelDraft('100'))
  const ruleId = kept.ok ? kept.value.id : ''
  /** The rules in the engine and everything written to disk. */
  const held = () => JSON.stringify([engine.views(), history.written])
  /** Chooses a file with this text. */
  const choose = (text: string) => {
    writeFileSync(dialogs.path ?? '', text)
    return gate('chooseAlertFile', own, {})
  }
  return { ...opened, core, dialogs, gate, create, choose, held, ruleId }
}

const level = (text: string): AlertDraft => levelDraft(text)
const terms = (of: AlertTerms): AlertDraft => ({ ...levelDraft(), terms: of })

test('a webhook on a refused host is refused on every path, and nothing is saved', async () => {
  const { dialogs, gate, create, choose, held, ruleId } = await start()
  dialogs.isHostAllowed = false
  const before = held()
  const draft = { ...level('200'), webhookUrl: 'https://hooks.example/a' }
  const refused = { ok: false, problem: { code: 'notConfirmed' } }
  const importDraft = async () => {
    const chosen = await choose(JSON.stringify({ format: 'indexwatch-alerts', version: 1, rules: [draft] }))
    return gate('importAlerts', own, { importId: chosen.ok ? (chosen.value?.importId ?? '') : '' })
  }
  expect(await create(draft)).toMatchObject(refused)
  expect(await gate('editAlert', own, { ruleId, draft, whenAlreadyMet: 'wait' })).toMatchObject(refused)
  expect(await importDraft()).toMatchObject(refused)
  expect(held()).toBe(before)
  expect(dialogs.askedHosts).toEqual(['hooks.example', 'hooks.example', 'hooks.example'])
  dialogs.isHostAllowed = true
  expect(await importDraft()).toMatchObject({ ok: true })
})

describe('a bad draft is refused with a clear message, and nothing is saved or lost', () => {
  test.each<[string, unknown, string, string]>([
    ['a level that is no number', level('12a'), 'badArguments', 'A level is a number such as 68500.00.'],
    ['a level of 30 digits', level('1'.repeat(30)), 'level', 'The level has more than 24 digits. Leave some out.'],
    [
      'an index that the service does not list',
      levelDraft('5', { indexId: 'XYZ' }),
      'indexId',
      'The provider does not list XYZ for this key. Check the id, or choose another index.',
    ],
    [
      'a note as long as a book',
      { ...level('5'), note: 'n'.repeat(50_000) },
      'tooLarge',
      'The text is too long for one request.',
    ],
    ['a field of another version', { ...level('5'), color: 'red' }, 'badArguments', 'Invalid key'],
    ['an id of its own', { ...level('5'), id: 'mine' }, 'badArguments', 'Invalid key'],
    [
      'the same as one that is there, written otherwise',
      level('100.00'),
      'duplicate',
      'You already have this alert: BRTI rises to 100.',
    ],
  ])('%s', async (_name, draft, code, words) => {
    const { gate, create, held, ruleId, notices } = await start()
    const before = held()
    const refused = await create(draft)
    expect(refused).toMatchObject({ ok: false, problem: { code } })
    expect(refused.ok ? '' : refused.problem.message).toContain(words)
    if (code !== 'duplicate') {
      const edited = await gate('editAlert', own, { ruleId, draft, whenAlreadyMet: 'wait' })
      expect(edited).toEqual(refused)
    }
    expect(held()).toBe(before)
    expect(notices).toEqual([])
    expect((await create(level('68500.00'))).ok).toBe(true)
  })

  test.each([
    ['-5', 'level'],
    ['1'.repeat(30), 'level'],
    ['6e4', 'level'],
    ['1e99', 'badArguments'],
    ['NaN', 'badArguments'],
  ])('a level dragged to %s', async (text, code) => {
    const { gate, held, ruleId, engine } = await start()
    const before = held()
    const moved = (to: string) => gate('setAlertLevel', own, { ruleId, level: to })
    expect(await moved(text)).toMatchObject({ ok: false, problem: { code } })
    expect(held()).toBe(before)
    expect(await moved('101')).toMatchObject({ ok: true, value: { terms: { level: '101' }, version: 2 } })
    expect(engine.views()).toHaveLength(1)
  })
})

describe('the other alert commands accept nothing that could harm stored data', () => {
  test('a snooze beyond the range of dates is refused, and a valid one can be searched', async () => {
    const { gate, engine } = await start()
    const scope = { of: 'all' }
    for (const untilMs of [1e300, Number.MAX_SAFE_INTEGER, Infinity, NaN, -1, 1.5, '1']) {
      const refused = await gate('snoozeAlerts', own, { scope, untilMs })
      expect(refused).toMatchObject({ ok: false, problem: { code: 'badArguments' } })
    }
    expect(engine.snoozes()).toEqual([])
    expect(await gate('snoozeAlerts', own, { scope, untilMs: 8.64e15 })).toMatchObject({ ok: true })
    expect(await gate('getInbox', own, { query: { search: 'snoozed' } })).toMatchObject({ ok: true })
  })

  test.each<[string, unknown]>([
    ['a search as long as a book', { search: 's'.repeat(121) }],
    ['a kind that is none', { kinds: ['guessed'] }],
    ['a page before nothing', { before: 0 }],
    ['a page of another size', { limit: 100_000 }],
  ])('the inbox is not queried for %s', async (_name, query) => {
    const { gate } = await start()
    expect(await gate('getInbox', own, { query })).toMatchObject({ ok: false, problem: { code: 'badArguments' } })
    const all = await gate('getInbox', own, { query: {} })
    expect(all.ok && fromJson(all.value)).toEqual({ events: [], retractions: [], hasMore: false })
  })

  test.each(['armAlert', 'deleteAlert', 'explainAlert'] as const)('%s of a rule that never existed', async (name) => {
    const { gate, held } = await start()
    const before = held()
    for (const ruleId of ['nope', '__proto__', 'constructor']) {
      const answer = await gate(name, own, { ruleId })
      expect(answer).toMatchObject(name === 'explainAlert' ? { value: '[]' } : { problem: { code: 'unknownRule' } })
    }
    expect(held()).toBe(before)
  })
})

describe('a draft is tested on a range', () => {
  test('that ends now at the latest, with the frequency of its index', async () => {
    const { gate, clock } = await start()
    const nowMs = clock.wallMs()
    const asked = { draft: levelDraft('101'), fromMs: nowMs - day, toMs: nowMs + day }
    expect(await gate('testAlert', own, asked)).toEqual({
      ok: true,
      value: { draft: levelDraft('101'), cadence: 'PER_SECOND', fromMs: nowMs - day, toMs: nowMs },
    })
  })

  test('unless it ends before it begins, begins in the future, or values do not decide the draft', async () => {
    const { gate, clock } = await start()
    const nowMs = clock.wallMs()
    const query = (draft: AlertDraft, fromMs: number, toMs: number) => gate('testAlert', own, { draft, fromMs, toMs })
    const badRange = {
      problem: { code: 'badRange', message: expect.stringContaining('ends before it begins') as string },
    }
    expect(await query(level('101'), nowMs - 1, nowMs - 2)).toMatchObject(badRange)
    expect(await query(level('101'), nowMs - 1, nowMs - 1)).toMatchObject(badRange)
    expect(await query(level('101'), nowMs + 1, nowMs + 2)).toMatchObject(badRange)
    expect(await query(level('-1'), nowMs - 2, nowMs - 1)).toMatchObject({ problem: { code: 'level' } })
    expect(await query(terms({ condition: 'noUpdate' }), nowMs - 2, nowMs - 1)).toMatchObject({
      problem: { code: 'condition' },
    })
  })
})

test('the explanation of a rule at a time tells if that time is in a gap', async () => {
  const { gate, ruleId, publish, clock, engine } = await start()
  publish('99')
  clock.advance(600_000)
  publish('98')
  await engine.flush()
  const query = async (atMs: number) => {
    const answer = valueOf(await gate('explainAlertAt', own, { ruleId, atMs }))
    return fromJson(answer)
  }
  const lastMs = clock.wallMs() - 1_000
  expect(await query(lastMs - 300_000)).toMatchObject({
    kind: 'judged',
    rule: { id: ruleId },
    evaluations: [{ value: '99' }],
    gap: { fromMs: lastMs - 601_000, toMs: lastMs },
  })
  expect(await query(lastMs)).not.toHaveProperty('gap')
})

describe('an alert on a list', () => {
  async function startWithList() {
    const started = await start()
    const { gate, engine } = started
    const target = { listId: 'watchlist' }
    const made = valueOf(await gate('createAlert', own, { draft: level('500'), whenAlreadyMet: 'wait', target }))
    return {
      ...started,
      id: made.id,
      members: () => engine.views().filter(({ follows }) => follows !== undefined),
    }
  }

  test('is edited, deleted and restored by its own id', async () => {
    const { gate, core, id, members } = await startWithList()
    const count = core.settings.get().watchlists[0]?.entries.length
    expect(members()).toHaveLength(count ?? 0)
    const before = members().map((rule) => rule.id)
    const draft = level('600')
    expect(await gate('editAlert', own, { ruleId: id, draft, whenAlreadyMet: 'wait' })).toMatchObject({ ok: true })
    expect(new Set(members().map(({ version }) => version))).toEqual(new Set([2]))
    await gate('deleteAlert', own, { ruleId: id })
    expect(members()).toEqual([])
    expect(await gate('restoreAlert', own, { ruleId: id })).toMatchObject({ value: { id, anyOf: 'My list' } })
    expect(members().map((rule) => rule.id)).toEqual(before)
  })

  test('is the only way to change its rules', async () => {
    const { gate, held, members } = await startWithList()
    const ruleId = members()[0]?.id ?? ''
    const before = held()
    const refused = { problem: { code: 'followsList', message: expect.stringContaining('any of My list') as string } }
    expect(await gate('deleteAlert', own, { ruleId })).toMatchObject(refused)
    expect(await gate('setAlertLevel', own, { ruleId, level: '7' })).toMatchObject(refused)
    expect(await gate('editAlert', own, { ruleId, draft: level('7'), whenAlreadyMet: 'wait' })).toMatchObject(refused)
    expect(held()).toBe(before)
  })

  test('is exported as one alert for each index, which an import into the same app skips', async () => {
    const { gate, dialogs, id, members } = await startWithList()
    expect(await gate('exportAlerts', own, { ruleIds: [id] })).toMatchObject({ ok: true })
    const { rules } = JSON.parse(readFileSync(dialogs.path ?? '', 'utf8')) as { rules: AlertDraft[] }
    expect(rules.map(({ indexId }) => indexId)).toEqual(members().map(({ indexId }) => indexId))
    expect(await gate('chooseAlertFile', own, {})).toMatchObject({ value: { adds: [], sameCount: rules.length } })
  })
})
