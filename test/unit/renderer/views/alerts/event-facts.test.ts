import { expect, test } from 'vitest'
import type { AlertRule } from '../../../../../core/alerts'
import type { DeskView } from '../../../../../protocol/desk'
import { sinceWords } from '../../../../../renderer/views/alerts/event-facts'
import { firedEvent, levelDraft } from '../../../../support/sample-alerts'

const own = firedEvent(1, levelDraft())
const { ruleId: id } = own
const ofDesk = { ...own, desk: { watcher: 'watch-1', isLate: false } }

function desk(version?: number, state: DeskView['state'] = 'judged'): DeskView {
  const rule = { ...levelDraft(), id, version: version ?? 0, createdAtMs: 0 } as AlertRule
  const alerts = version === undefined ? [] : [{ rule, by: 'ana', atMs: 0 }]
  return { state, words: '', alerts, lists: { refused: [], newerIds: [] }, isJudgedHere: false }
}

test.for([
  { event: own, rules: [{ id, version: 1 }], at: null, words: undefined },
  { event: own, rules: [{ id, version: 3 }], at: null, words: 'edited since, now version 3' },
  { event: own, rules: [], at: desk(), words: 'deleted since' },
  { event: own, rules: [], at: desk(2), words: 'moved to the desk since, now version 2' },
  { event: ofDesk, rules: [], at: desk(1), words: undefined },
  { event: ofDesk, rules: [], at: desk(2, 'unknown'), words: 'edited since, now version 2' },
  { event: ofDesk, rules: [], at: desk(), words: 'no longer on the desk' },
  { event: ofDesk, rules: [{ id, version: 2 }], at: desk(), words: 'taken from the desk since, now version 2' },
  { event: ofDesk, rules: [], at: desk(undefined, 'connecting'), words: undefined },
  { event: ofDesk, rules: [], at: null, words: undefined },
])('Why? says what became of the alert: $words', ({ event, rules, at, words }) => {
  expect(sinceWords({ ...event, ruleVersion: 1 }, rules, at)).toBe(words)
})
