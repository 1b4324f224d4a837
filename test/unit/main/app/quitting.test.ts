import type { MessageBoxOptions } from 'electron'
import { expect, test, vi } from 'vitest'
import { mayQuit } from '../../../../main/app/quitting'
import { Emitter } from '../../../../main/base/emitter'
import type { Unsaved } from '../../../../protocol/unsaved'
import { FakeClock } from '../../../support/fake-clock'
import { onError } from '../../../support/on-error'

const full: Unsaved = {
  reason: 'the disk is full',
  count: 2,
  preferences: ['theme'],
  lists: ['mine'],
  connections: [],
  alerts: [],
  events: [],
}

function changes(first: Unsaved | null) {
  const events = new Emitter<{ changed: Unsaved | null }>(onError)
  const unsaved = { view: first, events }
  return {
    unsaved,
    become: (next: Unsaved | null) => {
      unsaved.view = next
      events.emit('changed', next)
    },
  }
}

/** Message boxes answered by `ask`. */
const boxes = (ask: (question: string, signal?: AbortSignal) => Promise<boolean>) => ({
  showMessageBox: async ({ message, signal }: MessageBoxOptions) => ({ response: Number(await ask(message, signal)) }),
})

const saveAtOnce = () => Promise.resolve()
const never = () => new Promise<never>(() => undefined)

test('asks nothing if everything is saved', async () => {
  const ask = vi.fn(() => Promise.resolve(false))
  const { unsaved } = changes(null)
  expect(await mayQuit({ clock: new FakeClock(), unsaved, save: saveAtOnce, dialog: boxes(ask) })).toBe(true)
  expect(ask).not.toHaveBeenCalled()
})

test('does not ask about what one more attempt saves', async () => {
  const ask = vi.fn(() => Promise.resolve(false))
  const { unsaved, become } = changes(full)
  const save = () => {
    become(null)
    return Promise.resolve()
  }
  expect(await mayQuit({ clock: new FakeClock(), unsaved, save, dialog: boxes(ask) })).toBe(true)
  expect(ask).not.toHaveBeenCalled()
})

test.each([
  ['stays', false],
  ['quits', true],
])('names unsaved changes in the question, and %s as the user answers', async (_, answer) => {
  const ask = vi.fn(() => Promise.resolve(answer))
  const { unsaved } = changes(full)
  expect(await mayQuit({ clock: new FakeClock(), unsaved, save: saveAtOnce, dialog: boxes(ask) })).toBe(answer)
  expect(ask).toHaveBeenCalledWith('2 changes are not saved: the disk is full.', expect.anything())
})

test('asks after a while about a disk that never answers', async () => {
  const clock = new FakeClock()
  const ask = vi.fn(() => Promise.resolve(true))
  const { unsaved } = changes({ ...full, count: 1, reason: 'the disk is slow' })
  const quitting = mayQuit({ clock, unsaved, save: never, dialog: boxes(ask) })
  clock.advance(3_000)
  expect(await quitting).toBe(true)
  expect(ask).toHaveBeenCalledWith('1 change is not saved: the disk is slow.', expect.anything())
})

test('withdraws the question and quits once everything is saved', async () => {
  const { unsaved, become } = changes(full)
  const ask = (_: string, signal?: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      signal?.addEventListener('abort', () => resolve(false))
      become({ ...full, count: 1 })
      become(null)
    })
  expect(await mayQuit({ clock: new FakeClock(), unsaved, save: saveAtOnce, dialog: boxes(ask) })).toBe(true)
})
