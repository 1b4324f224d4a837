import { expect, test } from 'vitest'
import { DropWatch } from '../../../../main/feed/session'
import { FakeClock } from '../../../support/fake-clock'
import { RecordedLog } from '../../../support/recorded-log'

function watch() {
  const clock = new FakeClock()
  const log = new RecordedLog()
  return { clock, log, dropWatch: new DropWatch(clock, log) }
}

test('more than fifty unreadable frames in a minute are worth one warning', () => {
  const { log, dropWatch } = watch()
  for (let i = 0; i < 50; i++) dropWatch.note('notJson', '{bad')
  expect(log.texts('warn')).toEqual([])
  for (let i = 0; i < 500; i++) dropWatch.note('notJson', '{bad')
  expect(log.texts('warn')).toEqual(['Some data could not be read'])
  expect(log.entries[0]).toEqual({ level: 'info', text: 'Frame dropped', facts: { fault: 'notJson', text: '{bad' } })
})

test('fifty a minute, minute after minute, are not', () => {
  const { clock, log, dropWatch } = watch()
  for (let minute = 0; minute < 5; minute++) {
    for (let i = 0; i < 50; i++) dropWatch.note('notJson', '')
    clock.advance(60_000)
  }
  expect(log.texts('warn')).toEqual([])
})
