import { connect } from '@nats-io/transport-node'
import { Kvm } from '@nats-io/kv'
import { jetstream } from '@nats-io/jetstream'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AlertDraft } from '../../core/alerts'
import { toDeskEvent } from '../../core/desk'
import { deskEventId } from '../../main/base/stand-in'
import { startDeskApp } from '../support/desk-app'
import { JudgingEngine, putRule, QuickClock, startWatcher } from '../support/desk-parts'
import { natsWithCredentials } from '../support/nats-credentials'
import { NatsServer } from '../support/nats-server'
import { firedEvent, levelDraft } from '../support/sample-alerts'
import { ruleOf } from '../support/rule-bench'

let server: NatsServer
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  server = await NatsServer.start()
})

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await server.dispose()
})

function access() {
  return { address: server.address, name: 'london' }
}

async function watcher(name: string) {
  const judging = await JudgingEngine.open()
  const started = await startWatcher({ access: access(), name, judging })
  ends.push(started.stop)
  await expect.poll(() => started.watcher.isLeading).toBe(true)
  return { ...started, judging }
}

async function seat(user: string, more: Partial<Parameters<typeof startDeskApp>[0]> = {}) {
  const app = await startDeskApp({ access: access(), user, ...more })
  ends.push(app.stop)
  await expect.poll(() => app.view()?.state).toBe('judged')
  return app
}

const rule = { ...ruleOf({ condition: 'risesTo', level: '68000' }), id: 'rule-1' }
const draftTo = (level: string): AlertDraft => levelDraft(level)

/** Two seats of a desk that has one alert, and a function that makes the alert fire. */
async function deskOfTwo() {
  const first = await watcher('watch-1')
  await putRule(first.link, rule)
  const ana = await seat('ana')
  const ben = await seat('ben')
  for (const { view } of [ana, ben]) await expect.poll(() => view()?.alerts.length).toBe(1)
  await expect.poll(() => first.judging.engine.count).toBe(1)
  let atMs = Date.now()
  const cross = () => {
    atMs = Math.max(atMs + 2, Date.now())
    for (const [at, value] of ['67999', '68001'].entries()) first.judging.see({ value, publishedAtMs: atMs + at })
  }
  /** Both seats have one event. Returns its id. */
  const fire = async () => {
    cross()
    for (const { inbox } of [ana, ben]) await expect.poll(() => inbox().length).toBe(1)
    return ana.inbox()[0]?.id ?? ''
  }
  return { first, ana, ben, fire }
}

test('of two edits of one alert at once, the second is refused with both texts', async () => {
  const { ana, ben } = await deskOfTwo()
  const answers = await Promise.all([
    ana.editDeskAlert({ ruleId: 'rule-1', version: 1, draft: draftTo('69000') }),
    ben.editDeskAlert({ ruleId: 'rule-1', version: 1, draft: draftTo('70000.5') }),
  ])
  const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.problem]))
  expect(refused).toEqual([{ code: 'duplicate', message: expect.any(String) as string }])
  const wasAna = answers[0]?.ok === true
  const [theirs, own] = wasAna ? ['69,000', '70,000.5'] : ['70,000.5', '69,000']
  expect(refused[0]?.message.replace(/ at \d\d:\d\d /, ' ')).toBe(
    `${wasAna ? 'ana' : 'ben'} changed this alert to “BRTI rises to ${theirs}”. ` +
      `Yours is “BRTI rises to ${own}”. Try again to replace it.`,
  )
  // The refused user has seen the other's version now.
  const second = wasAna ? ben : ana
  expect(second.view()?.alerts[0]?.rule.version).toBe(2)
  const again = await second.editDeskAlert({ ruleId: 'rule-1', version: 1, draft: draftTo('71000') })
  expect(again).toEqual({ ok: true, value: null })
  // The other one has not seen the version that is there now.
  const first = wasAna ? ana : ben
  await expect.poll(() => first.view()?.alerts[0]?.rule.version).toBe(3)
  expect((await first.editDeskAlert({ ruleId: 'rule-1', version: 2, draft: draftTo('5') })).ok).toBe(false)
  for (const { view } of [ana, ben])
    await expect.poll(() => view()?.alerts).toMatchObject([{ rule: { version: 3, terms: { level: '71000' } } }])
})

test('an edit of an alert that another seat has taken is refused with one’s own text', async () => {
  const { ana, ben } = await deskOfTwo()
  expect((await ana.takeFromDesk({ ruleId: 'rule-1' })).ok).toBe(true)
  expect(await ben.editDeskAlert({ ruleId: 'rule-1', version: 1, draft: draftTo('69000') })).toMatchObject({
    problem: { message: 'Another seat took this alert from the desk. Yours is “BRTI rises to 69,000”.' },
  })
})

test('an alert that moves to the desk leaves its webhook behind', async () => {
  const { first, ana } = await deskOfTwo()
  const own = await ana.engine.create({ ...draftTo('1'), webhookUrl: 'https://hook.example/secret' }, 'wait', undefined)
  if (!own.ok) throw new Error(own.problem.message)
  expect((await ana.moveToDesk({ ruleId: own.value.id })).ok).toBe(true)
  const kept = await first.link.kept().get(`rule.${own.value.id}`)
  expect(JSON.stringify(kept)).toContain('"level":"1"')
  expect(JSON.stringify(kept)).not.toContain('hook.example')
})

test('what one seat has read, the others see with its name and the time', async () => {
  const { ana, ben, fire } = await deskOfTwo()
  const id = await fire()
  const beforeMs = Date.now()
  ana.engine.markRead()
  await expect.poll(() => ben.seen()[id]?.seen.map(({ by }) => by)).toEqual(['ana'])
  expect(ben.seen()[id]?.seen[0]?.atMs).toBeGreaterThanOrEqual(beforeMs)
  expect(ben.inbox()[0]?.isRead).toBe(false)
  expect(ben.desk.isSeen(id)).toBe(true)
  // A click of the notification counts as well.
  ben.engine.noteOutcome(id, { delivery: 'clicked' })
  await expect.poll(() => ana.seen()[id]?.seen.map(({ by }) => by)).toEqual(['ana', 'ben'])
  const cem = await seat('cem')
  await expect.poll(() => cem.seen()[id]?.seen.length).toBe(2)
})

test('seats that see an event at the same time are all named', async () => {
  const { ana, ben, fire } = await deskOfTwo()
  const id = await fire()
  for (const { engine } of [ana, ben]) engine.markRead()
  for (const { seen } of [ana, ben])
    await expect
      .poll(() =>
        seen()
          [id]?.seen.map(({ by }) => by)
          .toSorted(),
      )
      .toEqual(['ana', 'ben'])
})

test('one seat takes an event for all, and the next one is told who did', async () => {
  const { ana, ben, fire } = await deskOfTwo()
  const id = await fire()
  const answers = await Promise.all([ana.takeEvent({ eventId: id }), ben.takeEvent({ eventId: id })])
  const first = answers[0]?.ok === true ? 'ana' : 'ben'
  expect(answers.filter(({ ok }) => ok).length).toBe(1)
  const problems = answers.flatMap((answer) => (answer.ok ? [] : [answer.problem.message]))
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${first} took it at \\d\\d:\\d\\d\\.$`))])
  for (const { seen } of [ana, ben]) await expect.poll(() => seen()[id]?.taken?.by).toBe(first)
})

test('what was read while the server was away is told when it is back', async () => {
  const { ana, ben, fire } = await deskOfTwo()
  const id = await fire()
  await server.stop()
  ana.engine.markRead()
  await server.begin()
  await expect.poll(() => ben.seen()[id]?.seen.map(({ by }) => by)).toEqual(['ana'])
})

test('hostile entries of what was seen are cleaned, limited and left out', async () => {
  const { ana, ben, fire } = await deskOfTwo()
  const id = await fire()
  const attacker = await connect({ servers: server.address })
  const bucket = await new Kvm(jetstream(attacker)).open('desk_london_seen')
  const mark = { by: 'eve', atMs: 1 }
  const hostile: Record<string, unknown> = {
    [`${id}-a`]: { schema: 1, seen: [{ by: 'e\u202Ev\u0007e', atMs: 1 }] },
    [`${id}-b`]: { schema: 1, seen: [{ by: 'x'.repeat(61), atMs: 1 }] },
    [`${id}-c`]: { schema: 1, seen: Array.from({ length: 21 }, () => mark) },
    [`${id}-d`]: { schema: 1, seen: [{ by: '', atMs: 1 }] },
    [`${id}-e`]: { schema: 2, seen: [mark] },
    'other.key': { schema: 1, seen: [mark] },
  }
  for (const [key, value] of Object.entries(hostile)) await bucket.put(key, JSON.stringify(value))
  await bucket.put(id, '{')
  await expect.poll(() => ben.seen()[id]).toEqual({ seen: [] })
  expect(ben.seen()).toEqual({
    [`${id}-a`]: { seen: [{ by: 'eve', atMs: 1 }] },
    ...Object.fromEntries(['b', 'c', 'd'].map((each) => [`${id}-${each}`, { seen: [] }])),
    [id]: { seen: [] },
  })
  // An unreadable entry is replaced.
  ana.engine.markRead()
  await expect.poll(() => ben.seen()[id]?.seen.map(({ by }) => by)).toEqual(['ana'])
  await attacker.close()
})

test('with the sample configuration a seat tells what it has seen', async () => {
  const sample = readFileSync('resources/desk/desk.conf', 'utf8')
  await server.dispose()
  server = await NatsServer.start({ configuration: sample.slice(sample.indexOf('WATCHER: {')) })
  const signIn = { user: 'watch-1', password: 'change-me-1' }
  const judging = await JudgingEngine.open()
  const first = await startWatcher({ access: { ...access(), signIn }, name: 'watch-1', judging })
  ends.push(first.stop)
  const ana = await seat('ana', { password: 'change-me-3' })
  const ben = await seat('ben', { password: 'change-me-4' })
  const own = await ana.engine.create(draftTo('68000'), 'wait', undefined)
  if (!own.ok) throw new Error(own.problem.message)
  await ana.moveToDesk({ ruleId: own.value.id })
  await expect.poll(() => judging.engine.count).toBe(1)
  for (const [at, value] of ['67999', '68001'].entries()) judging.see({ value, publishedAtMs: Date.now() + at })
  await expect.poll(() => ana.inbox().length).toBe(1)
  ana.engine.markRead()
  await expect.poll(() => Object.values(ben.seen())[0]?.seen[0]?.by).toBe('ana')
})

/** A seat that sees its desk's last watcher end, with a value below the level. */
async function unwatchedDesk() {
  const first = await watcher('watch-1')
  await putRule(first.link, rule)
  const ana = await seat('ana', { clock: new QuickClock() })
  const ben = await seat('ben')
  await expect.poll(() => ana.view()?.alerts.length).toBe(1)
  expect(await ana.judgeDeskHere({ isWanted: true })).toMatchObject({ problem: { code: 'notReady' } })
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  await expect.poll(() => ana.view()?.state, { timeout: 40_000 }).toBe('notJudged')
  return { ana, ben }
}

test('while no watcher leads a seat judges the desk itself on request, and shows it as its own', async () => {
  const { ana, ben } = await unwatchedDesk()
  const atMs = Date.now()
  ana.judging.see({ value: '67999', publishedAtMs: atMs - 2 })
  ana.judging.see({ value: '68001', publishedAtMs: atMs - 1 })
  expect(ana.inbox()).toEqual([])
  expect((await ana.judgeDeskHere({ isWanted: true })).ok).toBe(true)
  expect(ana.view()?.isJudgedHere).toBe(true)
  // The user's own alerts are none of the desk's.
  expect(ana.engine.views()).toEqual([])
  ana.judging.see({ value: '67999', publishedAtMs: atMs })
  ana.judging.see({ value: '68001', publishedAtMs: atMs + 1 })
  await expect.poll(ana.inbox).toMatchObject([{ kind: 'fired', ruleId: 'rule-1', desk: { isLate: false } }])
  expect(ana.inbox()[0]?.desk?.watcher).toBeUndefined()

  // The watcher that returns has judged the same values, and publishes the same event.
  const second = await watcher('watch-2')
  await expect.poll(() => second.judging.engine.count).toBe(1)
  second.judging.see({ value: '67999', publishedAtMs: atMs })
  second.judging.see({ value: '68001', publishedAtMs: atMs + 1 })
  await expect.poll(() => ben.inbox().map(({ id }) => id)).toEqual(ana.inbox().map(({ id }) => id))
  await expect.poll(() => ana.view()?.state).toBe('judged')
  await expect.poll(() => ana.view()?.isJudgedHere).toBe(false)
  // What comes now is the watcher's.
  for (const { judging } of [second, ana]) {
    judging.see({ value: '67999', publishedAtMs: atMs + 2 })
    judging.see({ value: '68002', publishedAtMs: atMs + 3 })
  }
  await expect.poll(() => ben.inbox().length).toBe(2)
  await expect.poll(() => ana.inbox().map(({ desk }) => desk?.watcher)).toEqual(['watch-2', undefined])
  expect(ana.engine.standIns()).toEqual([])
})

test('a seat does not judge again what a watcher has published, and follows changes of the desk', async () => {
  const { ana, ben } = await unwatchedDesk()
  expect((await ana.judgeDeskHere({ isWanted: true })).ok).toBe(true)
  expect((await ben.editDeskAlert({ ruleId: 'rule-1', version: 1, draft: draftTo('70000') })).ok).toBe(true)
  await expect.poll(() => ana.engine.standIns().map(({ terms }) => terms)).toMatchObject([{ level: '70000' }])
  const [judgedHere] = ana.engine.standIns()
  // They are there after a restart too.
  const restarted = await JudgingEngine.open(undefined, ana.judging.history)
  expect(restarted.engine.standIns().map(({ id }) => id)).toEqual([judgedHere?.id])
  restarted.engine.dispose()
  const atMs = Date.now()
  const told = { ...firedEvent(1, draftTo('70000')), ruleId: 'rule-1', ruleVersion: 2 }
  const message = toDeskEvent(
    { ...told, inputs: { value: '70001', publishedAtMs: atMs + 1, direction: 'up' } },
    'watch-2',
  )
  if (message === undefined || judgedHere === undefined) throw new Error('no event')
  const id = deskEventId(message.key)
  await ana.engine.receive([{ ...told, id, desk: { watcher: 'watch-2', isLate: false }, delivery: 'none' }])
  ana.judging.see({ value: '69999', publishedAtMs: atMs })
  ana.judging.see({ value: '70001', publishedAtMs: atMs + 1 })
  await expect.poll(() => ana.engine.explain(judgedHere.id)[0]?.hasFired).toBe(true)
  expect(ana.inbox().map(({ desk }) => desk?.watcher)).toEqual(['watch-2'])
  expect((await ana.judgeDeskHere({ isWanted: false })).ok).toBe(true)
  expect(ana.engine.standIns()).toEqual([])
})

test('a seat signs in with a credentials file, which stays with its other secrets', async () => {
  const { configuration, credentialsOf } = natsWithCredentials()
  await server.dispose()
  server = await NatsServer.start({ configuration })
  const credentials = credentialsOf('watch-1')
  const judging = await JudgingEngine.open()
  const first = await startWatcher({ access: { ...access(), signIn: { credentials } }, name: 'watch-1', judging })
  ends.push(first.stop)
  const own = credentialsOf('ana')
  const ana = await seat('ana', { password: own })
  expect(await ana.secrets.load('desk', `desk ${server.address} london ana`)).toBe(own)
  const seed = own.split('\n')[5] ?? ''
  expect(ana.core.hidden).toContain(seed)
  expect(JSON.stringify([ana.core.settings.get(), ana.view()])).not.toContain(seed)
  const desk = { ...access(), user: '' }
  expect(await ana.saveDesk({ desk, password: own })).toMatchObject({ problem: { field: 'user' } })
  const other = natsWithCredentials().credentialsOf('ana')
  const tested = await ana.testDesk({ desk: { ...desk, user: 'ana' }, password: other })
  expect(JSON.stringify(tested)).toContain('choose another credentials file')
})
