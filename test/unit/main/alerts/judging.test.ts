import { expect, test } from 'vitest'
import { historyFault, Judging } from '../../../../main/alerts/judging'
import type { HistoryTrouble } from '../../../../main/history-store/contract'
import { judgingWords, type JudgingReason } from '../../../../protocol/judging'
import { failure } from '../../../../core/model'
import type { ProblemCode } from '../../../../core/problems'
import { FakeClock } from '../../../support/fake-clock'

function open() {
  const clock = new FakeClock()
  const judging = new Judging({
    clock,
    onError: (error) => {
      throw error
    },
  })
  const states: string[] = []
  judging.events.on('changed', ({ state }) => states.push(state))
  return { clock, judging, states }
}

test('alerts are evaluated as soon as their rules are read', () => {
  const { judging, states } = open()
  expect(judging.view).toEqual({ state: 'reading' })
  judging.setRulesRead(true)
  expect(judging.view).toEqual({ state: 'judged' })
  judging.setRulesRead(true)
  expect(states).toEqual(['judged'])
})

const reasons = Object.keys(judgingWords) as JudgingReason[]

test.each(reasons)('the reason and the remedy for alerts that are off are a sentence each: %s', (reason) => {
  const { judging } = open()
  judging.setRulesRead(true)
  judging.set('history', { reason })
  expect(judging.view).toMatchObject({
    state: 'off',
    words: expect.stringMatching(/^Alerts are off: (the|a) [\w ]+$/i) as string,
    remedy: expect.stringMatching(/^[A-Z].*\.$/) as string,
  })
})

test('a problem that stops evaluation is shown before one that only stops recording', () => {
  const { judging } = open()
  const words = () => ('words' in judging.view ? judging.view.words : judging.view.state)
  judging.set('history', { reason: 'full', isJudged: true })
  expect(words()).toBe('reading')
  judging.setRulesRead(true)
  expect(words()).toBe('Alerts are not recorded: the disk is full')
  judging.set('key', { reason: 'keyRefused', connection: 'Desk' })
  expect(words()).toBe('Alerts of “Desk” are off: the provider refuses the key')
  judging.set('settings', { reason: 'settings' })
  expect(words()).toBe('Alerts are off: the settings are damaged')
  for (const source of ['settings', 'key', 'history'] as const) judging.set(source, undefined)
  expect(words()).toBe('judged')
})

test('an outage keeps its start while its reason changes, and the next one has its own', () => {
  const { clock, judging } = open()
  const startedMs = clock.wallMs()
  clock.advance(500)
  judging.set('history', { reason: 'locked' })
  clock.advance(500)
  judging.set('history', { reason: 'full' })
  expect(judging.view).toMatchObject({ reason: 'full', sinceMs: startedMs })
  judging.setRulesRead(true)
  judging.set('history', undefined)
  clock.advance(500)
  judging.set('history', { reason: 'locked' })
  expect(judging.view).toMatchObject({ sinceMs: startedMs + 1_500 })
})

const troubleOf = (code: ProblemCode, isOpen = false): HistoryTrouble => ({
  isOpen,
  problem: failure(code, '').problem,
})

test.each([
  ['inUse', 'locked'],
  ['diskFull', 'full'],
  ['missing', 'missing'],
  ['newerVersion', 'newer'],
  ['unreadable', 'damaged'],
  ['noPermission', 'unreadable'],
  ['internal', 'unreadable'],
] as const)('a history that cannot be opened, %s, turns alerts off: %s', (code, reason) =>
  expect(historyFault(troubleOf(code), false)).toEqual({ reason }),
)

test('a read-only history leaves alerts on, unless it is newer or unreadable', () => {
  expect(historyFault(undefined, false)).toBeUndefined()
  expect(historyFault(troubleOf('diskFull', true), false)).toEqual({ reason: 'full', isJudged: true })
  expect(historyFault(troubleOf('readOnly', true), false)).toEqual({ reason: 'notWritable', isJudged: true })
  expect(historyFault(troubleOf('newerVersion', true), true)).toEqual({ reason: 'newer' })
  expect(historyFault(troubleOf('diskFull', true), true)).toEqual({ reason: 'unreadable' })
  expect(historyFault(undefined, true)).toEqual({ reason: 'unreadable' })
})
