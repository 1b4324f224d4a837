import { expect, test } from 'vitest'
import { UnsavedChanges } from '../../../../main/features/unsaved'
import { Emitter } from '../../../../main/base/emitter'
import type { SettingsEvents } from '../../../../main/storage/settings'
import type { UnsavedSettings } from '../../../../main/storage/unsaved-settings'
import type { HistoryStoreEvents } from '../../../../main/history-store/history-store'
import { unwrittenIn, type Unwritten } from '../../../../main/history-store/unwritten'
import type { Problem } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { sampleRules } from '../../../support/sample-alerts'
import { onError } from '../../../support/on-error'

const full: Problem = { code: 'diskFull', message: 'The disk is full.' }
const slow: Problem = { code: 'slowDisk', message: 'The disk is slow.' }
const theme: UnsavedSettings = { problem: full, preferences: ['theme'], lists: [], connections: [], names: ['theme'] }
const [rule] = sampleRules

function opened() {
  const clock = new FakeClock()
  const settings = { unsaved: undefined as UnsavedSettings | undefined, events: new Emitter<SettingsEvents>(onError) }
  const history = { unwritten: undefined as Unwritten | undefined, events: new Emitter<HistoryStoreEvents>(onError) }
  const notices: (string | undefined)[] = []
  const unsaved = new UnsavedChanges({
    clock,
    settings,
    history,
    alerts: { views: () => sampleRules },
    say: (message) => notices.push(message),
    onError,
  })
  const become = (next: { settings?: UnsavedSettings; history?: Unwritten | undefined }) => {
    settings.unsaved = next.settings
    history.unwritten = next.history
    settings.events.emit('unsavedChanged', null)
    history.events.emit('unwrittenChanged', null)
    clock.advance(250)
  }
  return { unsaved, notices, become }
}

test('the notice names settings, alerts and events that are not saved, until all are', () => {
  const { unsaved, notices, become } = opened()
  expect(unsaved.view).toBeNull()
  const turn = {
    rules: [{ id: rule?.id ?? '', position: 1, document: '{}' }],
    removedRules: ['gone'],
    events: [{ id: 'e1' }, { id: 'e2' }] as never,
    documents: [{ key: 'alerts:snoozes', atMs: 0, document: '{}' }],
  }
  become({ settings: theme, history: unwrittenIn([turn], full) })
  expect(unsaved.view).toEqual({
    reason: 'the disk is full',
    count: 6,
    preferences: ['theme'],
    lists: [],
    connections: [],
    alerts: [rule?.id, 'gone'],
    events: ['e1', 'e2'],
  })
  expect(notices.at(-1)).toMatch(
    /^Not saved because the disk is full: theme, alert \S+ .*, a deleted alert, muting of alerts, 2 inbox events\. Free/,
  )
  become({})
  expect(unsaved.view).toBeNull()
  expect(notices.at(-1)).toBe('All changes are saved now.')
})

test('the notice names six of many changes', () => {
  const { notices, become } = opened()
  become({ settings: { ...theme, names: Array.from({ length: 9 }, (_, at) => `list “${at}”`) } })
  expect(notices.at(-1)).toContain('list “5” and 3 more.')
})

test('waiting values are not reported as user changes', () => {
  const { unsaved, notices, become } = opened()
  become({ history: unwrittenIn([{ values: [], checkpoints: [] }], full) })
  expect([unsaved.view, notices]).toEqual([null, []])
})

test('a slow disk marks unsaved changes and adds no notice', () => {
  const { unsaved, notices, become } = opened()
  become({ settings: { ...theme, problem: slow } })
  expect(unsaved.view).toMatchObject({ reason: 'the disk is slow', count: 1 })
  become({})
  expect(notices).toEqual([])
})
