/** An inbox of 100,000 events in the real history thread. Reading and sending a page stays cheap. */
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { Records } from '../../main/alerts/records'
import { maxEventsInPart, maxEventsRead, type HistoryAccess } from '../../main/history-store/contract'
import { prepareSchema } from '../../main/history-store/schema'
import { FakeClock } from '../support/fake-clock'
import { openHistory } from '../support/open-history'
import { valueOf } from '../support/value-of'
import { historyStartMs } from '../support/history-thread'
import { firedEvent, levelDraft } from '../support/sample-alerts'
import { temporaryFolder } from '../support/temporary-folder'

const count = 100_000

/** A history with this many events. Only the tenth has the word in its note. */
function folderWithEvents(events: number): string {
  const folder = temporaryFolder()
  const database = new Database(join(folder, 'tape.db'))
  prepareSchema(database, () => undefined)
  const template = JSON.stringify(firedEvent(1, levelDraft(), { recordedAtMs: historyStartMs }))
  database
    .prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)
       INSERT INTO event (id, number, kind, rule, index_id, is_read, words, document)
       SELECT 'e' || n, n, 'fired', 'r1', 'BRTI', 0, 'brti' || iif(n = 10, ' haystack', ''),
         json_set(?, '$.id', 'e' || n, '$.number', n) FROM counted`,
    )
    .run([events, template])
  database.close()
  return folder
}

async function open(events = count) {
  const { history } = await openHistory({ folder: folderWithEvents(events) })
  const parts: { looked: number; events: number; characters: number }[] = []
  const counted: HistoryAccess = {
    append: (values) => history.append(values),
    commit: (turn) => history.commit(turn),
    query: async (question, asked) => {
      const answer = await history.query(question, asked)
      if (question === 'events' && answer.ok) {
        const { before = count + 1 } = asked as { before?: number }
        const { events, next = 1 } = answer.value as { events: unknown[]; next?: number }
        parts.push({ looked: before - next, events: events.length, characters: JSON.stringify(events).length })
      }
      return answer
    },
  }
  return { history, parts, records: new Records(counted) }
}

const numbers = (events: readonly { number: number }[]) => events.map(({ number }) => number)

test('a page of 100,000 events is one query for 201 events, however far back', async () => {
  const { records, parts } = await open()
  const first = valueOf(await records.events({}))
  expect(numbers(first.events)).toEqual(Array.from({ length: 200 }, (_, at) => count - at))
  valueOf(await records.events({ before: 501 }))
  const { events } = valueOf(await records.read(new FakeClock()))
  expect(events).toHaveLength(200)
  expect(parts.map((part) => part.events)).toEqual([201, 201, 201])
  expect(parts.every(({ characters }) => characters < 201 * 1_000)).toBe(true)
})

test('decisions are written during a search for one event in 100,000', async () => {
  const { history, records, parts } = await open()
  const found = records.events({ search: 'haystack' })
  const written = history.commit({ events: [firedEvent(count + 1, levelDraft())] }).then(() => parts.length)
  expect(numbers(valueOf(await found).events)).toEqual([10])
  expect(parts).toHaveLength(count / maxEventsRead)
  expect(parts.every(({ looked }) => looked <= maxEventsRead)).toBe(true)
  expect(parts.reduce((sum, part) => sum + part.events, 0)).toBe(1)
  expect(await written).toBeLessThan(parts.length)
})

test('a long inbox is saved completely, with only a part in memory at a time', async () => {
  const { records, parts } = await open(20_000)
  let next = 20_000
  for await (const events of records.allEvents({})) {
    for (const { number } of events) expect(number).toBe(next--)
  }
  expect(next).toBe(0)
  expect(parts.every((part) => part.events <= maxEventsInPart)).toBe(true)
})
