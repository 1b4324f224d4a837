import { expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import type { Publication, Resolution } from '../../../../core/model'
import { MemoryHistory } from '../../../support/memory-history'
import { openAlerts } from '../../../support/open-alerts'
import { day, hour, minute, second } from '../../../support/policy-bench'
import { levelDraft } from '../../../support/sample-alerts'

function silence(afterMs?: number, indexId = 'BRTI'): AlertDraft {
  const terms = { condition: 'noUpdate', ...(afterMs !== undefined && { afterMs }) } as const
  return { ...levelDraft('', { indexId }), terms, repeat: { mode: 'everyCrossing' } }
}

/** An engine with these rules: a, b, c and so on. */
async function openSilences(...drafts: readonly AlertDraft[]) {
  const cadences = new Map<string, Resolution>([['BRTI', 'PER_SECOND']])
  // Only rules have the ids a to z. Events have others.
  let made = 0
  const opened = await openAlerts(new MemoryHistory(), { cadenceOf: (id) => cadences.get(id) })
  const { clock, engine, receive } = opened
  const names = new Map<string, string>()
  const create = async (draft: AlertDraft) => {
    const rule = await engine.create(draft, 'wait', undefined)
    if (rule.ok) names.set(rule.value.id, String.fromCharCode(97 + made++))
    return rule.ok ? rule.value.id : ''
  }
  for (const draft of drafts) await create(draft)
  /** Publishes now. Returns the publication. */
  const publish = (id = 'BRTI', more: Partial<Publication> = {}) => {
    const publication = { value: '100', publishedAtMs: clock.wallMs(), ...more }
    receive(id, publication)
    return publication
  }
  /** The events of all rules, oldest first. */
  const said = async () => {
    await engine.flush()
    const kinds = { fired: 'silent', recovered: 'resumed' } as Partial<Record<string, string>>
    return engine
      .inbox()
      .toReversed()
      .map(({ kind, ruleId }) => `${names.get(ruleId)} ${kinds[kind]}`)
  }
  /** Expects a silence after this time and not before. */
  const expectSilentIn = async (ms: number) => {
    clock.advance(ms - 1)
    expect(await said()).toEqual([])
    clock.advance(1)
    expect(await said()).toEqual(['a silent'])
  }
  return { ...opened, cadences, create, publish, said, expectSilentIn }
}

test('a silence fires once after its time, ends at the next value and fires again', async () => {
  const { clock, engine, publish, said } = await openSilences(silence(minute))
  clock.advance(30 * second)
  const last = publish()
  clock.advance(minute - 1)
  expect(await said()).toEqual([])
  clock.advance(1)
  expect(await said()).toEqual(['a silent'])
  expect(engine.inbox()[0]).toMatchObject({
    recordedAtMs: clock.wallMs(),
    inputs: { silentSinceMs: last.publishedAtMs },
  })
  clock.advance(hour)
  expect(await said()).toHaveLength(1)
  const next = publish()
  expect(await said()).toEqual(['a silent', 'a resumed'])
  clock.advance(minute - 1)
  expect(await said()).toHaveLength(2)
  clock.advance(1)
  expect(await said()).toHaveLength(3)
  expect(engine.inbox()[0]).toMatchObject({ kind: 'fired', inputs: { silentSinceMs: next.publishedAtMs } })
})

test('an index that publishes in time is never silent', async () => {
  const { clock, publish, said } = await openSilences(silence(minute))
  for (let at = 0; at < 200; at++) {
    clock.advance(minute - 1)
    publish()
  }
  expect(await said()).toEqual([])
})

test('a rule without any value counts from its creation and fires without a time', async () => {
  const { engine, expectSilentIn } = await openSilences(silence(minute))
  await expectSilentIn(minute)
  expect(engine.inbox()[0]?.inputs).toEqual({})
})

test("a rule created later counts from its creation and fires with the last value's time", async () => {
  const { clock, engine, create, publish, expectSilentIn } = await openSilences()
  const { publishedAtMs } = publish()
  clock.advance(hour)
  await create(silence(minute))
  await expectSilentIn(minute)
  expect(engine.inbox()[0]).toMatchObject({ inputs: { silentSinceMs: publishedAtMs } })
})

test.each([
  ['by the cadence of the index if the rule has no time', undefined, 10 * second],
  ['after more days than a timer can wait', 30 * day, 30 * day],
])('a silence fires %s', async (_, afterMs, ms) => {
  const { expectSilentIn } = await openSilences(silence(afterMs))
  await expectSilentIn(ms)
})

test('a short silence fires on time after a long one', async () => {
  const { clock, publish, said } = await openSilences(silence())
  clock.advance(hour)
  publish()
  clock.advance(10 * second - 1)
  expect(await said()).toEqual(['a silent', 'a resumed'])
  clock.advance(1)
  expect(await said()).toEqual(['a silent', 'a resumed', 'a silent'])
})

test('an index is silent only after its cadence is known', async () => {
  const { clock, cadences, said } = await openSilences(silence(undefined, 'NEW'))
  clock.advance(day)
  expect(await said()).toEqual([])
  cadences.set('NEW', 'PER_MINUTE')
  clock.advance(minute)
  expect(await said()).toEqual(['a silent'])
})

test('a cadence that becomes shorter counts from the next value', async () => {
  const { clock, cadences, publish, said } = await openSilences(silence())
  cadences.set('BRTI', 'PER_HOUR')
  publish()
  clock.advance(2 * hour + 15 * second)
  cadences.set('BRTI', 'PER_SECOND')
  publish()
  clock.advance(10 * second)
  expect(await said()).toEqual(['a silent'])
})

test('each rule of an index has its own time, and other indices have no effect', async () => {
  const { clock, publish, said } = await openSilences(silence(minute), silence(2 * minute), silence(minute, 'B'))
  const advance = (ms: number) => {
    for (let passed = 0; passed < ms; passed += second) {
      clock.advance(second)
      publish('B')
    }
  }
  advance(minute)
  expect(await said()).toEqual(['a silent'])
  advance(minute)
  expect(await said()).toEqual(['a silent', 'b silent'])
  publish('BRTI')
  expect((await said()).slice(2)).toEqual(['a resumed', 'b resumed'])
})

test('no timer is set without a rule for silence', async () => {
  const { clock } = await openSilences(levelDraft('200'))
  expect(clock.pending).toBe(0)
})

test('a value carried forward ends a silence; an amendment of the last value does not', async () => {
  const { clock, publish, said } = await openSilences(silence(minute))
  const { publishedAtMs } = publish()
  clock.advance(40 * second)
  publish('BRTI', { publishedAtMs, value: '101', amendedAtMs: clock.wallMs() })
  clock.advance(20 * second)
  publish('BRTI', { publishedAtMs, value: '102', amendedAtMs: clock.wallMs() })
  expect(await said()).toEqual(['a silent'])
  publish('BRTI', { isRepeatOfPrevious: true })
  expect(await said()).toEqual(['a silent', 'a resumed'])
})

test('a rule continues to count when others are added or removed; an edited one restarts', async () => {
  const { clock, engine, create, said } = await openSilences(silence(50 * second, 'B'))
  const edited = await create(silence(minute))
  clock.advance(40 * second)
  await create(silence(hour, 'C'))
  await engine.edit(edited, silence(30 * second), 'wait', undefined)
  clock.advance(10 * second)
  expect(await said()).toEqual(['a silent'])
  clock.advance(20 * second - 1)
  expect(await said()).toHaveLength(1)
  clock.advance(1)
  expect(await said()).toEqual(['a silent', 'b silent'])
  await engine.remove(edited)
  clock.advance(30 * minute)
  expect(await said()).toHaveLength(2)
})

test('a rule re-armed during a silence does not fire for it again', async () => {
  const { clock, engine, create, said } = await openSilences()
  const id = await create({ ...silence(minute), repeat: { mode: 'once' } })
  clock.advance(minute)
  expect(await said()).toEqual(['a silent'])
  await engine.arm(id, undefined)
  clock.advance(hour)
  expect(await said()).toHaveLength(1)
})

// SwiftBar#551: a warning that counts the time asleep comes at every wake.
test('a stale warning does not count the time asleep', async () => {
  const { clock, engine, publish, expectSilentIn } = await openSilences(silence(minute))
  publish()
  clock.advance(30 * second)
  clock.sleep(2 * hour)
  engine.woke()
  await expectSilentIn(minute)
})

test('a silence does not count the time asleep if the timer comes before the wake event', async () => {
  const { clock, engine, said, expectSilentIn } = await openSilences(silence(minute))
  clock.advance(30 * second)
  clock.sleep(2 * hour)
  clock.advance(0)
  expect(await said()).toEqual([])
  engine.woke()
  await expectSilentIn(minute)
})

test('a silence after the wake fires on time, even if timers stopped during the sleep', async () => {
  const { clock, engine, expectSilentIn } = await openSilences(silence(minute))
  clock.advance(second)
  clock.sleepMachine(2 * hour)
  engine.woke()
  await expectSilentIn(minute)
})

test('a timer that is a little late is not taken for sleep', async () => {
  const { clock, said } = await openSilences(silence(minute))
  clock.sleep(minute + 4 * second)
  clock.advance(0)
  expect(await said()).toEqual(['a silent'])
})

test('a silence from before a sleep or a pause continues after it and ends once', async () => {
  const { clock, engine, publish, said } = await openSilences(silence(minute))
  clock.advance(minute)
  clock.sleep(2 * hour)
  engine.woke()
  clock.advance(hour)
  engine.setPaused(true)
  clock.advance(hour)
  engine.setPaused(false)
  clock.advance(hour)
  expect(await said()).toEqual(['a silent'])
  publish()
  expect(await said()).toEqual(['a silent', 'a resumed'])
})

test.each([2 * hour, -hour])('a wall clock set by %i ms changes nothing', async (jumpMs) => {
  const { clock, publish, said } = await openSilences(silence(minute))
  publish()
  clock.jumpWall(jumpMs)
  clock.advance(minute - 1)
  expect(await said()).toEqual([])
  clock.advance(1)
  expect(await said()).toEqual(['a silent'])
})

test('all rules share one timer, and none is left at the end', async () => {
  const { clock, engine, said } = await openSilences(
    ...Array.from({ length: 20 }, (_, at) => silence(minute, `I${at}`)),
    { ...levelDraft('100'), expiresAt: { atMs: Date.UTC(2024, 0, 1), timeZone: 'UTC' } },
  )
  expect(clock.pending).toBe(1)
  clock.advance(minute)
  expect(await said()).toHaveLength(20)
  clock.advance(minute)
  expect(clock.pending).toBe(1)
  engine.dispose()
  expect(clock.pending).toBe(0)
})

test('a pause stops the count, which begins again when it ends', async () => {
  const { clock, engine, create, said } = await openSilences(silence(minute))
  clock.advance(50 * second)
  engine.setPaused(true)
  await create(silence(30 * second))
  clock.advance(day)
  expect(await said()).toEqual([])
  engine.setPaused(false)
  clock.advance(30 * second)
  expect(await said()).toEqual(['b silent'])
  // A value came, so the silence does not start again.
  engine.setPaused(false)
  clock.advance(30 * second - 1)
  expect(await said()).toEqual(['b silent'])
  clock.advance(1)
  expect(await said()).toEqual(['b silent', 'a silent'])
})
