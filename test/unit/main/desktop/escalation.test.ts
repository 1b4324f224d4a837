import { expect, test } from 'vitest'
import { Escalation } from '../../../../main/desktop/escalation'
import type { SecondChannelChoice } from '../../../../core/preferences'
import { FakeClock } from '../../../support/fake-clock'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const urgent = (id: string) => firedEvent(1, { ...levelDraft(), severity: 'urgent' }, { id })

function open(firstChoice: SecondChannelChoice) {
  const clock = new FakeClock()
  const log: string[] = []
  const seen = new Set<string>()
  let choice = firstChoice
  const second = new Escalation({
    clock,
    chosen: () => choice,
    send: ({ id }) => log.push(`${id} sent`),
    ring: () => log.push('ring'),
    isSeen: (id) => seen.has(id),
    onUsed: (id, words) => log.push(`${id} ${words}`),
  })
  const choose = (next: SecondChannelChoice) => {
    choice = next
  }
  const notify = (event = urgent('a')) => second.watch([event])
  return { clock, log, seen, second, choose, notify }
}

test.each(['failed', 'unanswered', 'unknown'] as const)(
  'an event that is %s is escalated once, whatever follows',
  (delivery) => {
    const { log, second, notify } = open('webhook')
    notify()
    expect(log).toEqual([])
    second.delivered('a', delivery)
    expect(log).toEqual(['a sent'])
    second.delivered('a', 'failed')
    second.delivered('a', 'shown')
    expect(log).toEqual(['a sent'])
  },
)

test.each(['shown', 'clicked', 'inDigest', 'off'] as const)('an event that is %s is not escalated', (delivery) => {
  const { log, second, notify } = open('webhook')
  notify()
  second.delivered('a', delivery)
  second.delivered('a', 'unknown')
  expect(log).toEqual([])
})

const ofDesk = (id: string) => ({ ...urgent(id), desk: { watcher: 'watch-1', isLate: false } })

test.each(['webhook', 'sound'] as const)(
  'an event of the desk uses the %s if no seat sees it in a minute',
  (choice) => {
    const { clock, log, seen, second, notify } = open(choice)
    for (const id of ['a', 'b']) {
      notify(ofDesk(id))
      second.delivered(id, 'failed')
    }
    clock.advance(59_999)
    expect(log).toEqual([])
    seen.add('b')
    clock.advance(1)
    expect(log[0]).toBe(choice === 'webhook' ? 'a sent' : 'a sound until seen')
    expect(log.join()).not.toContain('b ')
    seen.add('a')
    log.length = 0
    clock.advance(20_000)
    expect(log).toEqual([])
  },
)

test('an event of the desk that waits for a seat ends with the app', () => {
  const { clock, log, second, notify } = open('webhook')
  notify(ofDesk('a'))
  second.delivered('a', 'failed')
  second.dispose()
  clock.advance(120_000)
  expect(log).toEqual([])
})

test('escalates only urgent events, and none while it is off', () => {
  const { log, second, notify, choose } = open('webhook')
  const fail = (...ids: string[]) => {
    for (const id of ids) second.delivered(id, 'failed')
  }
  notify(firedEvent(1, levelDraft(), { id: 'normal' }))
  second.watch([urgent('b'), firedEvent(2, levelDraft(), { id: 'c' }), urgent('d')])
  fail('normal', 'b', 'c', 'd')
  expect(log).toEqual(['b sent', 'd sent'])
  notify(urgent('e'))
  choose('off')
  notify(urgent('f'))
  fail('e', 'f')
  expect(log).toHaveLength(2)
})

test('a sound repeats every five seconds until seen, clicked or turned off', () => {
  const { clock, log, seen, second, notify, choose } = open('sound')
  notify(urgent('a'))
  notify(urgent('b'))
  second.delivered('a', 'failed')
  second.delivered('b', 'failed')
  expect(log).toEqual(['a sound until seen', 'ring', 'b sound until seen'])
  const ringsIn = (ms: number) => {
    log.length = 0
    clock.advance(ms)
    return log.length
  }
  expect(ringsIn(20_000)).toBe(4)
  seen.add('a')
  expect(ringsIn(5_000)).toBe(1)
  second.delivered('b', 'clicked')
  expect(ringsIn(60_000)).toBe(0)
  notify(urgent('c'))
  second.delivered('c', 'unanswered')
  expect(ringsIn(15_000)).toBe(3)
  choose('webhook')
  expect(ringsIn(60_000)).toBe(0)
  expect(clock.pending).toBe(0)
})

test('an event seen before the sound does not ring', () => {
  const { clock, log, seen, second, notify } = open('sound')
  notify()
  seen.add('a')
  second.delivered('a', 'unanswered')
  clock.advance(60_000)
  expect(log).toEqual([])
})

test('nothing is sent or rings after the app ends', () => {
  const { clock, log, second, notify } = open('sound')
  notify(urgent('a'))
  second.delivered('a', 'failed')
  notify(urgent('b'))
  log.length = 0
  second.dispose()
  expect(clock.pending).toBe(0)
  clock.advance(60_000)
  expect(log).toEqual([])
})
