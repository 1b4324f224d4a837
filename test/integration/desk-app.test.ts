import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AlertDraft } from '../../core/alerts'
import { startDeskApp } from '../support/desk-app'
import { JudgingEngine, putRule, startWatcher } from '../support/desk-parts'
import { NatsServer } from '../support/nats-server'
import { levelDraft } from '../support/sample-alerts'
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

/** Two seats of a desk that has one alert. */
async function deskOfTwo() {
  const first = await watcher('watch-1')
  await putRule(first.link, rule)
  const ana = await seat('ana')
  const ben = await seat('ben')
  for (const { view } of [ana, ben]) await expect.poll(() => view()?.alerts.length).toBe(1)
  return { first, ana, ben }
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
  // Whoever was refused has seen the other's version now.
  const second = wasAna ? ben : ana
  expect(second.view()?.alerts[0]?.rule.version).toBe(2)
  const again = await second.editDeskAlert({ ruleId: 'rule-1', version: 2, draft: draftTo('71000') })
  expect(again).toEqual({ ok: true, value: null })
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
