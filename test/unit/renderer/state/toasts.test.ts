import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AlertSnooze } from '../../../../core/alerts'
import { Announcer } from '../../../../renderer/state/announcer.svelte'
import { Toasts } from '../../../../renderer/state/toasts.svelte'
import { sampleSnapshot } from '../../../support/sample-window'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('a toast that no longer holds is dismissed, one that does not hold yet stays', () => {
  const toasts = new Toasts(new Announcer())
  const follow = (...snoozes: AlertSnooze[]) => toasts.follow({ ...sampleSnapshot().state, snoozes })
  let undone = 0
  toasts.show('All alerts are muted', () => undone++, { isStillTrue: ({ snoozes }) => snoozes.length > 0 })
  follow()
  expect(toasts.current?.text).toBe('All alerts are muted')
  follow({ scope: { of: 'all' }, untilMs: null })
  expect(toasts.current?.text).toBe('All alerts are muted')
  follow()
  expect(toasts.current).toBeUndefined()
  toasts.undo()
  expect(undone).toBe(0)
  toasts.show('Saved', () => undone++)
  follow()
  toasts.undo()
  expect(undone).toBe(1)
})

test('list changes are undone in turn, also when their toast is gone', () => {
  const toasts = new Toasts(new Announcer())
  const undone: string[] = []
  toasts.show('Alert saved', () => undone.push('alert'))
  toasts.showChange('2 rows moved', () => undone.push('move'))
  toasts.announceChange('A added', () => undone.push('add'))
  vi.advanceTimersByTime(60_000)
  expect(toasts.current).toBeUndefined()
  toasts.undo()
  expect(toasts.current?.text).toBe('Undone: A added')
  toasts.undo()
  toasts.undo()
  expect(undone).toEqual(['add', 'move'])
})
