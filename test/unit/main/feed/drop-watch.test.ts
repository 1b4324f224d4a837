import { expect, test } from 'vitest'
import { DropWatch } from '../../../../main/feed/drop-watch'
import { FakeClock } from '../../../support/fake-clock'
import { RecordedLog } from '../../../support/recorded-log'

function watch() {
  const clock = new FakeClock()
  const log = new RecordedLog()
  const shown: (number | undefined)[] = []
  const dropWatch: DropWatch = new DropWatch({
    clock,
    log,
    onChange: () => shown.push(dropWatch.persistentCount),
  })
  return { clock, log, dropWatch, shown }
}

test('shows sixty-two unreadable messages with one warning that names the fault', () => {
  const { clock, log, dropWatch, shown } = watch()
  for (let i = 0; i < 62; i++) dropWatch.note('amendTime', '{"bad":1}')
  clock.advance(1_000)
  expect(shown.at(-1)).toBe(62)
  expect(log.entries.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      text: 'Messages of the provider cannot be read',
      facts: { fault: 'amendTime', text: '{"bad":1}' },
    },
  ])
})

test('does not show one or two, and counts each entry of a message', () => {
  const { log, dropWatch, shown } = watch()
  dropWatch.note('notJson', '{bad')
  dropWatch.note('notJson', '{bad')
  expect(dropWatch.persistentCount).toBeUndefined()
  expect([shown, log.texts('warn')]).toEqual([[], []])
  dropWatch.note('streams', '{}', 5)
  expect(dropWatch.persistentCount).toBe(7)
})

test('shows them only while they continue', () => {
  const { clock, dropWatch, shown } = watch()
  for (let i = 0; i < 5; i++) {
    dropWatch.note('value', '')
    clock.advance(59_000)
  }
  expect(dropWatch.persistentCount).toBe(5)
  clock.advance(1_000)
  expect(dropWatch.persistentCount).toBeUndefined()
  expect(shown).toEqual([3, 4, 5, undefined])
  dropWatch.note('value', '')
  expect(dropWatch.persistentCount).toBeUndefined()
})

test('a flood changes the status once a second', () => {
  const { clock, dropWatch, shown } = watch()
  for (let i = 0; i < 10_000; i++) dropWatch.note('value', '')
  expect(shown).toEqual([3])
  clock.advance(1_000)
  expect(shown).toEqual([3, 10_000])
})
