import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AlertRule } from '../../core/alerts'
import { failure } from '../../core/model'
import { SystemClock } from '../../main/base/clock'
import { DeskLink } from '../../main/desk/link'
import { childProgram } from '../support/child-programs'
import { replaced } from '../support/desk-faults'
import { JudgingEngine, QuickClock, putRule, startSeat, startWatcher, valueOf } from '../support/desk-parts'
import { MemoryJsonFile } from '../support/memory-json-file'
import { NatsServer } from '../support/nats-server'
import { ruleOf } from '../support/rule-bench'
import { temporaryFolder } from '../support/temporary-folder'

let server: NatsServer
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  server = await NatsServer.start()
})

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await server.dispose()
})

function access(name = 'london') {
  return { address: server.address, name }
}

async function watcher(name: string, more: Partial<Parameters<typeof startWatcher>[0]> = {}) {
  const judging = more.judging ?? (await JudgingEngine.open())
  const started = await startWatcher({ access: access(), name, ...more, judging })
  ends.push(started.stop)
  return { ...started, judging }
}

async function seat(more: Partial<Parameters<typeof startSeat>[0]> = {}) {
  const started = await startSeat({ access: access(), ...more })
  ends.push(started.stop)
  return started
}

const rule: AlertRule = { ...ruleOf({ condition: 'risesTo', level: '100' }), id: 'rule-1' }

/** Two watchers that judge a rule, and a function that shows both the same value. */
async function watchedDesk() {
  const first = await watcher('watch-1')
  await expect.poll(() => first.watcher.isLeading).toBe(true)
  const second = await watcher('watch-2')
  await putRule(first.link, rule)
  await expect.poll(() => second.judging.engine.count + first.judging.engine.count).toBe(2)
  let atMs = Date.now()
  const publish = (value: string) => {
    atMs = Math.max(atMs + 1, Date.now())
    for (const { judging } of [first, second]) judging.see({ value, publishedAtMs: atMs })
    return atMs
  }
  const cross = () => {
    publish('99')
    return publish('101')
  }
  return { first, second, publish, cross }
}

test('two watchers judge, and each of two seats shows an alert once', async () => {
  const { first, second, cross } = await watchedDesk()
  const ana = await seat()
  const ben = await seat()
  const atMs = cross()
  for (const { inbox } of [ana, ben])
    await expect.poll(inbox).toMatchObject([{ kind: 'fired', ruleId: 'rule-1', inputs: { publishedAtMs: atMs } }])
  expect(ana.inbox()[0]?.desk).toEqual({ watcher: 'watch-1', isLate: false })
  // Both decided it, and the one that follows knows that it is published.
  await expect.poll(() => second.judging.engine.inbox().length).toBe(1)
  await expect.poll(() => [first.watcher.unpublished, second.watcher.unpublished]).toEqual([0, 0])
  cross()
  for (const { inbox } of [ana, ben]) await expect.poll(() => inbox().length).toBe(2)
})

test('a seat that was off gets the alerts on its return, in order and marked late', async () => {
  const { first, cross } = await watchedDesk()
  const memory = new MemoryJsonFile()
  const judging = await JudgingEngine.open()
  const off = await startSeat({ access: access(), memory, judging })
  await off.stop()
  const times = [cross(), cross(), cross()]
  const newest = `rule-1.${rule.version}.${times[2]}.up.fired`
  await expect.poll(() => first.link.lastEvent(newest, true)).toMatchObject({ value: { message: { key: newest } } })
  const back = await seat({ memory: memory.reopened(), judging })
  await expect.poll(() => back.inbox().map(({ inputs }) => inputs.publishedAtMs)).toEqual(times.reverse())
  expect(back.inbox().every(({ desk }) => desk?.isLate)).toBe(true)
})

test('an alert that waited while the computer slept is marked late, whatever its clock says', async () => {
  const { cross } = await watchedDesk()
  /** Three hours ahead of the server. */
  class OtherClock extends SystemClock {
    aheadMs = 3 * 3_600_000
    override wallMs(): number {
      return super.wallMs() + this.aheadMs
    }
  }
  const clock = new OtherClock()
  const ana = await seat({ clock })
  await expect.poll(() => ana.watched.at(-1)?.state).toBe('judged')
  cross()
  await expect.poll(() => ana.inbox().map(({ desk }) => desk?.isLate)).toEqual([false])
  // As after a sleep of five minutes.
  clock.aheadMs += 300_000
  cross()
  await expect.poll(() => ana.inbox().map(({ desk }) => desk?.isLate)).toEqual([true, false])
})

test('the other watcher publishes what the leader had decided and not published', async () => {
  const { first, second, cross } = await watchedDesk()
  const ana = await seat()
  cross()
  await expect.poll(() => ana.inbox().length).toBe(1)
  // As if the leader stood still: it decides nothing, and then ends.
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  const atMs = Date.now() + 5
  second.judging.see({ value: '99', publishedAtMs: atMs })
  second.judging.see({ value: '102', publishedAtMs: atMs + 1 })
  await expect.poll(() => ana.inbox().length).toBe(2)
  expect(ana.inbox()[0]).toMatchObject({ desk: { watcher: 'watch-2' }, inputs: { publishedAtMs: atMs + 1 } })
})

test('a crossing that one watcher saw late, because it missed a value, is published once', async () => {
  const { first, second, publish } = await watchedDesk()
  const ana = await seat()
  const fired = () => ana.inbox().map(({ kind, inputs }) => [kind, inputs.publishedAtMs])
  const beforeMs = publish('99')
  first.judging.see({ value: '101', publishedAtMs: beforeMs + 1 })
  await expect.poll(fired).toEqual([['fired', beforeMs + 1]])
  second.judging.see({ value: '102', publishedAtMs: beforeMs + 2 })
  second.judging.learn([{ value: '101', publishedAtMs: beforeMs + 1 }])
  await expect.poll(() => second.judging.engine.inbox().map(({ kind }) => kind)).toEqual(['confirmed', 'fired'])
  await expect.poll(() => second.watcher.unpublished).toBe(0)
  // The second one leads now. It has a crossing that the first one would have seen later.
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  for (const [at, value] of ['99', '103'].entries()) second.judging.see({ value, publishedAtMs: beforeMs + 3 + at })
  await expect.poll(fired).toEqual([
    ['fired', beforeMs + 4],
    ['fired', beforeMs + 1],
  ])
})

test('of the crossings that a leader missed, only its own late one is not published again', async () => {
  const { first, second, publish } = await watchedDesk()
  const ana = await seat()
  const fired = () => ana.inbox().map(({ inputs, desk }) => [inputs.publishedAtMs, desk?.watcher])
  const beforeMs = publish('99')
  for (const [at, value] of ['101', '99', '102', '99', '103'].entries())
    second.judging.see({ value, publishedAtMs: beforeMs + 1 + at })
  await expect.poll(() => second.watcher.unpublished).toBe(3)
  first.judging.see({ value: '104', publishedAtMs: beforeMs + 6 })
  await expect.poll(fired).toEqual([[beforeMs + 6, 'watch-1']])
  await expect.poll(() => second.watcher.unpublished).toBe(2)
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  await expect.poll(fired).toEqual([
    [beforeMs + 5, 'watch-2'],
    [beforeMs + 3, 'watch-2'],
    [beforeMs + 6, 'watch-1'],
  ])
})

test('a crossing is published once, also if newer ones of its rule were published since', async () => {
  let isCut = true
  const cut = (link: DeskLink) =>
    replaced(link, {
      lastEvent: (...args: Parameters<DeskLink['lastEvent']>) =>
        isCut ? Promise.resolve(failure('timedOut', '')) : link.lastEvent(...args),
    })
  const first = await watcher('watch-1')
  await expect.poll(() => first.watcher.isLeading).toBe(true)
  const second = await watcher('watch-2', { wrap: cut })
  await putRule(first.link, rule)
  await expect.poll(() => [first.judging.engine.count, second.judging.engine.count]).toEqual([1, 1])
  const ana = await seat()
  const beforeMs = Date.now()
  const show = ({ judging }: typeof first, values: Record<number, string>) => {
    for (const [at, value] of Object.entries(values)) judging.see({ value, publishedAtMs: beforeMs + Number(at) })
  }
  // Each misses a value that the other one has, and then both see two crossings.
  show(first, { 1: '99', 3: '102', 4: '99', 6: '102', 7: '99', 8: '101', 9: '99', 10: '101' })
  show(second, { 1: '99', 2: '101', 4: '99', 5: '101', 7: '99', 8: '101', 9: '99', 10: '101' })
  const published = [3, 6, 8, 10].map((at) => beforeMs + at)
  const fired = () => ana.inbox().map(({ inputs }) => inputs.publishedAtMs)
  await expect.poll(fired).toEqual(published.toReversed())
  await expect.poll(() => second.watcher.unpublished).toBe(4)
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  isCut = false
  await expect.poll(() => second.watcher.unpublished).toBe(0)
  expect(fired()).toEqual(published.toReversed())
})

test('a new leader sends nothing again that the former one published', async () => {
  let isCut = true
  const sent: string[] = []
  const counting = (link: DeskLink) =>
    replaced(link, {
      lastEvent: (...args: Parameters<DeskLink['lastEvent']>) =>
        isCut ? Promise.resolve(failure('timedOut', '')) : link.lastEvent(...args),
      publish: (...args: Parameters<DeskLink['publish']>) => {
        sent.push(args[0].key)
        return link.publish(...args)
      },
    })
  const first = await watcher('watch-1')
  await expect.poll(() => first.watcher.isLeading).toBe(true)
  const second = await watcher('watch-2', { wrap: counting })
  await putRule(first.link, { ...rule, expiresAt: { atMs: Date.now() + 500, timeZone: 'UTC' } })
  const ana = await seat()
  await expect.poll(() => ana.inbox().map(({ kind }) => kind)).toContain('expired')
  await expect.poll(() => second.watcher.unpublished).toBeGreaterThan(0)
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  isCut = false
  await expect.poll(() => second.watcher.isLeading).toBe(true)
  await expect.poll(() => second.watcher.unpublished).toBe(0)
  expect(sent).toEqual([])
})

test('a watcher that does not lead asks for the lease and writes none', async () => {
  const written: string[] = []
  const counting = (link: DeskLink) => {
    const lasting = link.lasting()
    const put = (...args: Parameters<typeof lasting.put>) => {
      written.push(args[0])
      return lasting.put(...args)
    }
    const bucket = {
      put,
      get: lasting.get.bind(lasting),
      all: lasting.all.bind(lasting),
      remove: lasting.remove.bind(lasting),
    }
    return replaced(link, { lasting: () => bucket })
  }
  const first = await watcher('watch-1')
  await expect.poll(() => first.watcher.isLeading).toBe(true)
  await watcher('watch-2', { wrap: counting })
  await expect.poll(() => written.length).toBeGreaterThan(3)
  expect(written).not.toContain('lease')
})

test('a retraction reaches the seats under the key of what the other watcher published', async () => {
  const { first, second, publish } = await watchedDesk()
  const ana = await seat()
  const beforeMs = publish('99')
  first.judging.see({ value: '101', publishedAtMs: beforeMs + 1 })
  await expect.poll(() => ana.inbox().length).toBe(1)
  second.judging.see({ value: '102', publishedAtMs: beforeMs + 2 })
  await expect.poll(() => second.judging.engine.inbox().length).toBe(1)
  await expect.poll(() => second.watcher.unpublished).toBe(0)
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  second.judging.see({ value: '98', publishedAtMs: beforeMs + 2, amendedAtMs: beforeMs + 3 })
  await expect.poll(() => ana.inbox().length).toBe(2)
  const [retraction, firing] = ana.inbox()
  expect(retraction).toMatchObject({ kind: 'retracted', aboutEventId: firing?.id, desk: { watcher: 'watch-2' } })
})

test('a leader asks once for what others published of a rule, not before each event', async () => {
  const asked: string[] = []
  const counting = (link: DeskLink) =>
    replaced(link, {
      lastEvent: (keys: string, isWhole: boolean) => {
        asked.push(keys)
        return link.lastEvent(keys, isWhole)
      },
    })
  const first = await watcher('watch-1', { wrap: counting })
  await expect.poll(() => first.watcher.isLeading).toBe(true)
  await putRule(first.link, rule)
  await expect.poll(() => first.judging.engine.count).toBe(1)
  const ana = await seat()
  let atMs = Date.now()
  for (const value of ['99', '101', '99', '102', '99', '103']) first.judging.see({ value, publishedAtMs: ++atMs })
  await expect.poll(() => ana.inbox().length).toBe(3)
  expect(asked).toEqual([`rule-1.${rule.version}.*.up.fired`])
})

test('after the leader is killed, the other watcher publishes the next crossing within 15 s', async () => {
  const child = spawn(
    process.execPath,
    [childProgram('desk-watcher'), server.address, 'london', 'watch-1', temporaryFolder()],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  ends.push(async () => void child.kill('SIGKILL'))
  const said: { leads: boolean; rules: number }[] = []
  createInterface(child.stdout).on('line', (line) => said.push(JSON.parse(line) as (typeof said)[number]))
  await expect.poll(() => said.at(-1)?.leads).toBe(true)
  const second = await watcher('watch-2')
  await putRule(second.link, rule)
  await expect.poll(() => [said.at(-1)?.rules, second.judging.engine.count]).toEqual([1, 1])
  const ana = await seat()
  let atMs = Date.now()
  const cross = () => {
    for (const value of ['99', '101']) {
      const publication = { value, publishedAtMs: ++atMs }
      child.stdin.write(`${JSON.stringify(publication)}\n`)
      second.judging.see(publication)
    }
  }
  cross()
  await expect.poll(() => ana.inbox().length).toBe(1)
  child.kill('SIGKILL')
  const killedAtMs = performance.now()
  cross()
  await expect.poll(() => ana.inbox().length, { timeout: 60_000 }).toBe(2)
  process.stdout.write(`takeover after SIGKILL: ${((performance.now() - killedAtMs) / 1_000).toFixed(1)} s\n`)
  expect(ana.inbox().map(({ desk }) => desk?.watcher)).toEqual(['watch-2', 'watch-1'])
})

test('a seat gets again what is not on its disk', async () => {
  const { cross } = await watchedDesk()
  const judging = await JudgingEngine.open()
  const memory = new MemoryJsonFile()
  const failing = await startSeat({ access: access(), judging, memory })
  judging.history.problem = { code: 'diskFull', message: 'The disk is full.' }
  cross()
  await expect.poll(() => judging.engine.inbox().length).toBe(1)
  await failing.stop()
  // The next run of this seat knows nothing of the event.
  const next = await seat({ memory: memory.reopened() })
  await expect.poll(() => next.inbox().length, { timeout: 60_000 }).toBe(1)
})

test('a rule that fires once does not fire again for a watcher that comes later', async () => {
  const first = await watcher('watch-1')
  await putRule(first.link, { ...rule, repeat: { mode: 'once' } })
  await expect.poll(() => first.judging.engine.count).toBe(1)
  const ana = await seat()
  first.judging.see({ value: '99', publishedAtMs: Date.now() - 20 })
  first.judging.see({ value: '101', publishedAtMs: Date.now() - 10 })
  await expect.poll(() => ana.inbox().length).toBe(1)
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  const second = await watcher('watch-2')
  await expect.poll(() => second.watcher.isLeading).toBe(true)
  second.judging.see({ value: '99', publishedAtMs: Date.now() - 2 })
  second.judging.see({ value: '101', publishedAtMs: Date.now() - 1 })
  await expect.poll(() => second.judging.engine.inbox().length).toBe(1)
  await expect.poll(() => second.watcher.unpublished).toBe(0)
  expect(ana.inbox().length).toBe(1)
})

test('a seat says since when no watcher leads, and when one does again', async () => {
  const first = await watcher('watch-1')
  await expect.poll(() => first.watcher.isLeading).toBe(true)
  const ana = await seat({ clock: new QuickClock() })
  await expect.poll(() => ana.watched.at(-1)).toMatchObject({ state: 'judged', watcher: 'watch-1' })
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  await expect.poll(() => ana.watched.at(-1)?.state, { timeout: 40_000 }).toBe('notJudged')
  const second = await watcher('watch-2')
  expect(second.started.ok).toBe(true)
  await expect.poll(() => ana.watched.at(-1)).toMatchObject({ state: 'judged', watcher: 'watch-2' })
})

test('a stream that the server has lost is said, and begun again only on request', async () => {
  const memory = new MemoryJsonFile()
  const judging = await JudgingEngine.open()
  const first = await startWatcher({ access: access(), name: 'watch-1', judging, memory })
  const ana = await seat()
  await first.stop()
  const admin = await connect({ servers: server.address })
  await (await jetstreamManager(admin)).streams.delete('DESK_london')
  await admin.close()
  const again = { access: access(), name: 'watch-1', memory: memory.reopened() }
  const refused = await startWatcher({ ...again, judging: await JudgingEngine.open() })
  expect(refused.started).toMatchObject({ problem: { code: 'streamMissing' } })
  await refused.link.close()
  const begun = await startWatcher({ ...again, judging: await JudgingEngine.open(), begins: true })
  ends.push(begun.stop)
  expect(begun.started.ok).toBe(true)
  expect(begun.notices).toEqual([expect.stringContaining('begun again')])
  expect(ana.notices).toEqual([])
})

test('what the server confirmed and then lost is published again, and each seat shows it once', async () => {
  const { first, cross } = await watchedDesk()
  const ana = await seat()
  const keyOf = (atMs: number) => `rule-1.${rule.version}.${atMs}.up.fired`
  const isPublished = (atMs: number) => async () => {
    const found = await first.link.lastEvent(keyOf(atMs), true)
    return found.ok && found.value !== undefined
  }
  const kept = cross()
  await expect.poll(isPublished(kept)).toBe(true)
  // A turn marks how far the stream has come.
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  await server.stop()
  const bringBack = server.keepData()
  await server.begin()
  const lost = [cross(), cross()]
  for (const atMs of lost) await expect.poll(isPublished(atMs), { timeout: 20_000 }).toBe(true)
  await expect.poll(() => ana.inbox().length, { timeout: 20_000 }).toBe(3)
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  await server.stop()
  bringBack()
  await server.begin()
  for (const atMs of [kept, ...lost]) await expect.poll(isPublished(atMs), { timeout: 30_000 }).toBe(true)
  const next = cross()
  await expect.poll(isPublished(next), { timeout: 30_000 }).toBe(true)
  await expect.poll(() => ana.inbox().map(({ inputs }) => inputs.publishedAtMs), { timeout: 30_000 }).toContain(next)
  expect(ana.inbox().length).toBe(4)
}, 180_000)

/** Runs a watcher again under its name, with its own memory and history. */
async function runAgain(before: JudgingEngine, memory: MemoryJsonFile, name = 'watch-1') {
  const judging = await JudgingEngine.open(before.clock, before.history)
  return watcher(name, { judging, memory })
}

test('what the server lost while no watcher ran is published again by the next run', async () => {
  const memory = new MemoryJsonFile()
  const first = await watcher('watch-1', { memory })
  await putRule(first.link, rule)
  await expect.poll(() => first.judging.engine.count).toBe(1)
  let atMs = Date.now() - 1_000
  const cross = () => {
    for (const value of ['99', '101']) first.judging.see({ value, publishedAtMs: ++atMs })
    return atMs
  }
  const ana = await seat()
  const kept = cross()
  await expect.poll(() => ana.inbox().length).toBe(1)
  await server.stop()
  const bringBack = server.keepData()
  await server.begin()
  const lost = cross()
  await expect.poll(() => ana.inbox().length, { timeout: 30_000 }).toBe(2)
  const numberOf = (publishedAtMs: number) => async () => {
    const found = await ana.link.lastEvent(`rule-1.${rule.version}.${publishedAtMs}.up.fired`, true)
    return found.ok ? found.value?.message?.event.inputs.publishedAtMs : found
  }
  // A turn writes down how far the stream has come.
  await expect.poll(() => JSON.stringify(memory.written.at(-1))).toContain(`"through":2`)
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  await server.stop()
  bringBack()
  await server.begin()
  await expect.poll(numberOf(kept), { timeout: 30_000 }).toBe(kept)
  expect(await numberOf(lost)()).toBeUndefined()
  await runAgain(first.judging, memory.reopened())
  await expect.poll(numberOf(lost), { timeout: 30_000 }).toBe(lost)
}, 120_000)

test('a watcher that reads its history again publishes no crossing that the other one published', async () => {
  const memory = new MemoryJsonFile()
  const first = await watcher('watch-1')
  await expect.poll(() => first.watcher.isLeading).toBe(true)
  const second = await watcher('watch-2', { memory })
  await putRule(first.link, rule)
  await expect.poll(() => second.judging.engine.count + first.judging.engine.count).toBe(2)
  const atMs = Date.now()
  for (const { judging } of [first, second]) judging.see({ value: '99', publishedAtMs: atMs })
  first.judging.see({ value: '101', publishedAtMs: atMs + 1 })
  await expect.poll(async () => valueOf(await first.link.stream()).lastSeq).toBe(2)
  const ana = await seat()
  second.judging.see({ value: '102', publishedAtMs: atMs + 2 })
  await expect.poll(() => JSON.stringify(memory.written.at(-1))).toContain('"inPlaceOf":[["rule-1')
  for (const { stop } of [second, first]) {
    await stop()
    ends.splice(ends.indexOf(stop), 1)
  }
  // It seems that the server has lost everything.
  const known = memory.written.at(-1) as object
  const marks = [{ seq: 1_000, atMs, through: 2 }]
  const lost = new MemoryJsonFile({ kind: 'ok', value: { ...known, marks } })
  const again = await runAgain(second.judging, lost, 'watch-2')
  // What was read again is published, where it must be, before the next mark.
  await expect.poll(() => JSON.stringify(lost.written.at(-1)), { timeout: 30_000 }).toMatch(/"marks":\[{"seq":\d{1,2},/)
  for (const [at, value] of ['99', '103'].entries()) again.judging.see({ value, publishedAtMs: atMs + 3 + at })
  await expect.poll(() => ana.inbox().map(({ inputs }) => inputs.publishedAtMs)).toEqual([atMs + 4])
}, 120_000)

test('a desk that lacks a part says so, and --desk-begin makes the part', async () => {
  const first = await watcher('watch-1')
  await putRule(first.link, rule)
  await first.stop()
  ends.splice(ends.indexOf(first.stop), 1)
  const admin = await connect({ servers: server.address })
  await (await jetstreamManager(admin)).streams.delete('KV_desk_london_seen')
  await admin.close()
  const told = await watcher('watch-2')
  expect(told.started.ok).toBe(true)
  expect(told.notices).toEqual([
    'Seats cannot tell who has seen an alert. The server does not have this desk, or a part of it. Start a watcher with --desk-begin.',
  ])
  const made = await watcher('watch-3', { begins: true })
  expect(made.notices).toEqual([])
  expect((await made.link.seen().put('desk-1', '{}')).ok).toBe(true)
  // Rules are as before.
  await expect.poll(() => made.judging.engine.count).toBe(1)
})

test('a second watcher of one name is refused', async () => {
  await watcher('watch-1')
  const other = await startWatcher({
    access: access(),
    name: 'watch-1',
    judging: await JudgingEngine.open(),
    clock: new QuickClock(),
  })
  expect(other.started).toMatchObject({ problem: { code: 'nameTaken' } })
  await other.link.close()
})

test('a server without JetStream is said in a sentence', async () => {
  const bare = await NatsServer.start({ hasJetStream: false })
  const link = await DeskLink.open({ address: bare.address, name: 'london' }, 'seat')
  expect(link).toMatchObject({ ok: false, problem: { code: 'noJetStream' } })
  await bare.dispose()
})

test('with the sample configuration seats get alerts and change rules, and publish none', async () => {
  const sample = readFileSync('resources/desk/desk.conf', 'utf8')
  const permissions = sample.slice(sample.indexOf('WATCHER: {'))
  const guarded = await NatsServer.start({ configuration: permissions })
  ends.push(() => guarded.dispose())
  const as = (user: string, password: string) => ({
    address: guarded.address,
    name: 'london',
    signIn: { user, password },
  })
  const first = await watcher('watch-1', { access: as('watch-1', 'change-me-1') })
  expect(first.started.ok).toBe(true)
  const ana = await seat({ access: as('ana', 'change-me-3') })
  expect(ana.started.ok).toBe(true)
  await putRule(ana.link, rule)
  await expect.poll(() => first.judging.engine.count).toBe(1)
  first.judging.see({ value: '99', publishedAtMs: Date.now() - 20 })
  first.judging.see({ value: '101', publishedAtMs: Date.now() - 10 })
  await expect.poll(() => ana.inbox().length).toBe(1)
  expect(await ana.link.lead('watch-9')).toMatchObject({ ok: false, problem: { code: 'notAllowed' } })
  const wrong = await DeskLink.open(as('ana', 'wrong'), 'seat')
  expect(wrong).toMatchObject({ ok: false, problem: { code: 'notAuthorised' } })
})

test('desks of two names on one server know nothing of each other', async () => {
  const { cross } = await watchedDesk()
  const other = await watcher('watch-1', { access: access('tokyo') })
  expect(other.started.ok).toBe(true)
  const ana = await seat()
  const yuki = await seat({ access: access('tokyo') })
  cross()
  await expect.poll(() => ana.inbox().length).toBe(1)
  expect(valueOf(await other.link.kept().all('rule.>'))).toEqual([])
  expect(yuki.inbox()).toEqual([])
})

test('a server that is not NATS, one without TLS, and a closed port are said in sentences', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const { port } = other.address() as AddressInfo
  const codeOf = async (address: string) => {
    const link = await DeskLink.open({ address, name: 'london', signIn: { user: 'ana', password: 'canary' } }, 'seat')
    return link.ok ? 'open' : link.problem.code
  }
  expect(await codeOf(`nats://127.0.0.1:${port}`)).toBe('notNats')
  expect(await codeOf(`tls://127.0.0.1:${server.port}`)).toBe('noTls')
  other.close()
  expect(await codeOf(`nats://127.0.0.1:${port}`)).toBe('refused')
  expect(await codeOf('nats://desk.example:4222')).toBe('badAddress')
})

test('hostile, newer and unreadable messages are said once, and nothing else is lost', async () => {
  const { cross } = await watchedDesk()
  const ana = await seat()
  cross()
  await expect.poll(() => ana.inbox().length).toBe(1)
  const attacker = await connect({ servers: server.address })
  const stream = jetstream(attacker)
  const [known] = ana.inbox()
  const key = `rule-1.1.${known?.inputs.publishedAtMs ?? 0}.down.fired`
  const texts = [
    '',
    '{',
    '\u0000',
    '[]',
    '{"schema":2}',
    '{"schema":1}',
    `{"schema":1,"key":"${key}"}`,
    '['.repeat(5_000),
  ]
  for (const [at, text] of texts.entries()) await stream.publish(`desk.london.event.a.${at}`, text)
  await expect(stream.publish('desk.london.event.a.b', 'x'.repeat(900_000))).rejects.toThrow()
  cross()
  await expect.poll(() => ana.inbox().length).toBe(2)
  expect(ana.notices.toSorted()).toEqual([
    'An event of the desk cannot be read. It is not in the inbox.',
    'An event of the desk was written by a newer version. Update this app. It is not in the inbox.',
  ])
  await attacker.close()
})
