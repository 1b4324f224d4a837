import Database from 'libsql'
import { expect, test } from 'vitest'
import { verifyInbox } from '../../../../main/history/inbox-check'
import { maxEventsRead } from '../../../../main/tape/contract'
import { prepareSchema } from '../../../../main/tape/schema'
import { TapeStore } from '../../../../main/tape/store'
import { inboxCheckWords } from '../../../../protocol/inbox-check-words'
import { valueOf } from '../../../support/open-tape'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

/** A tape with so many events, each recorded in a turn of its own. */
function inbox(count: number) {
  const database = new Database(':memory:')
  prepareSchema(database, () => undefined)
  const store = new TapeStore(database)
  const record = (number: number) => store.commit([{ events: [firedEvent(number, levelDraft())] }])
  for (let number = 1; number <= count; number++) record(number)
  const check = async () =>
    valueOf(await verifyInbox((asked) => ({ ok: true, value: store.answer('eventChain', asked) })))
  return { database, store, record, check }
}

const words = (check: Awaited<ReturnType<ReturnType<typeof inbox>['check']>>) =>
  inboxCheckWords(check, (ms) => new Date(ms).toISOString().slice(0, 10))

test('an inbox is unbroken, whatever became of its events after they were recorded', async () => {
  const { store, check } = inbox(4)
  const before = await check()
  expect(before).toMatchObject({ count: 4, first: { number: 1 }, last: { number: 4 } })
  expect(before.hash).toMatch(/^[\da-f]{64}$/)
  expect(words(before)).toMatch(/^Intact: 4 events \(no\. 1–4\)\.$/)
  store.commit([
    {
      events: [
        firedEvent(2, levelDraft(), {
          delivery: 'clicked',
          webhookResult: 'answered 200',
          secondChannel: 'sound until seen',
          isRead: true,
          heldBackCount: 3,
        }),
      ],
    },
    { readThrough: 4 },
  ])
  expect(await check()).toEqual(before)
})

test('an empty inbox is unbroken', async () => {
  expect(words(await inbox(0).check())).toBe('Intact: there are no events yet.')
})

test('one of more than is read at once is read in parts', async () => {
  const { database, check } = inbox(maxEventsRead + 1)
  expect((await check()).count).toBe(maxEventsRead + 1)
  database.prepare('DELETE FROM event WHERE number = ?').run([maxEventsRead])
  expect(await check()).toMatchObject({
    count: maxEventsRead - 1,
    break: { kind: 'missing', number: maxEventsRead + 1 },
  })
})

test.each([
  ['one removed', `DELETE FROM event WHERE number = 3`, 2, 'missing', 4],
  ['the first removed', `DELETE FROM event WHERE number = 1`, 0, 'missing', 2],
  ['the newest removed', `DELETE FROM event WHERE number = 5`, 4, 'missing', undefined],
  ['all removed', `DELETE FROM event`, 0, 'missing', undefined],
  [
    'one changed',
    `UPDATE event SET document = json_set(document, '$.inputs.value', '1.00') WHERE number = 2`,
    1,
    'changed',
    2,
  ],
  ['one named differently', `UPDATE event SET number = 9 WHERE number = 4`, 3, 'changed', 9],
  ['one made unreadable', `UPDATE event SET document = '{' WHERE number = 4`, 3, 'changed', 4],
  [
    'two in another order',
    `UPDATE event SET link = CASE link WHEN 2 THEN 3 ELSE 2 END WHERE link IN (2, 3)`,
    1,
    'changed',
    3,
  ],
  [
    'one removed and the next ones moved up',
    `DELETE FROM event WHERE number = 2; UPDATE event SET link = link - 1 WHERE link > 2`,
    1,
    'changed',
    3,
  ],
  [
    'one added without a place',
    `INSERT INTO event SELECT 'x', 6, kind, rule, index_id, published, 0, words, document, about, NULL, NULL
       FROM event WHERE number = 1`,
    5,
    'added',
    6,
  ],
  [
    'one added at a place that is taken',
    `INSERT INTO event SELECT 'x', 6, kind, rule, index_id, published, 0, words, document, about, link, hash
       FROM event WHERE number = 5`,
    5,
    'added',
    6,
  ],
  ['no end of the chain', `DELETE FROM chain_end`, 0, 'added', 1],
])('%s is found', async (_what, sql, count, kind, number) => {
  const { database, record, check } = inbox(5)
  expect((await check()).break).toBeUndefined()
  database.exec(sql)
  const found = await check()
  expect(found).toMatchObject({ count, break: { kind, ...(number !== undefined && { number }) } })
  expect(found.break?.number).toBe(number)
  expect(found.hash).toBeUndefined()
  expect(words(found)).toMatch(/^Tampered: /)
  // What is recorded afterwards does not cover it up.
  record(20)
  expect((await check()).break).toBeDefined()
})
