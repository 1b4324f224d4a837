import { expect, test } from 'vitest'
import { Inbox } from '../../../../main/alerts/inbox'
import { inboxCsv } from '../../../../main/alerts/inbox-csv'
import { isArchiveEntry, readArchive } from '../../../../main/alerts/inbox-archive'
import type { InboxQuery } from '../../../../protocol/alert-events'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const atMs = Date.UTC(2023, 10, 1, 12)
const brti = firedEvent(1, levelDraft('68000'), {
  ruleId: 'r1',
  note: 'Sell the Half',
  recordedAtMs: atMs + 50,
  inputs: { value: '68000.12', publishedAtMs: atMs, gapSinceMs: atMs - 60_000, direction: 'up' },
})
const eth = firedEvent(2, levelDraft('3500.50', { indexId: 'ETHUSD_RTI', condition: 'fallsTo' }), {
  inputs: { value: '3499.9', publishedAtMs: atMs, direction: 'down' },
  delivery: 'heldBack',
  heldBackBy: 'cooldown',
})
const over = firedEvent(3, levelDraft('3500.50', { indexId: 'ETHUSD_RTI' }), { kind: 'cooldownOver', heldBackCount: 4 })

function found(query: InboxQuery): number[] {
  return new Inbox({ tail: [brti, eth, over] }).page(query).events.map(({ number }) => number)
}

test.each([
  [{}, [3, 2, 1]],
  [{ search: 'ethusd' }, [3, 2]],
  [{ search: ' sell the half ' }, [1]],
  [{ search: '68,000.12' }, [1]],
  [{ search: '68000.12' }, [1]],
  [{ search: 'fell to' }, [2]],
  [{ search: '4 more' }, [3]],
  [{ search: 'crossed in a gap' }, [1]],
  [{ search: 'solusd' }, []],
  [{ search: '' }, [3, 2, 1]],
  [{ kinds: ['cooldownOver' as const] }, [3]],
  [{ kinds: [] }, []],
  [{ ruleId: 'r1' }, [1]],
  [{ before: 3 }, [2, 1]],
  [{ before: 3, search: 'ETHUSD', kinds: ['fired' as const] }, [2]],
])('asked for %j, finds %j', (query, numbers) => {
  expect(found(query)).toEqual(numbers)
})

test('is read by pages of two hundred, over the end of the archive, with none twice and none left out', () => {
  const all = Array.from({ length: 450 }, (_, at) => firedEvent(at + 1, levelDraft()))
  // As after a kill while the oldest of the tail were being archived.
  const inbox = new Inbox({ tail: all.slice(220), archived: all.slice(0, 280) })
  const numbers: number[] = []
  let query: InboxQuery = {}
  for (const size of [200, 200, 50]) {
    const page = inbox.page(query)
    expect(page.events).toHaveLength(size)
    expect(page.hasMore).toBe(size === 200)
    numbers.push(...page.events.map(({ number }) => number))
    query = { before: page.events.at(-1)?.number ?? 0 }
  }
  expect(numbers).toEqual(Array.from({ length: 450 }, (_, at) => 450 - at))
  const exact = new Inbox({ tail: Array.from({ length: 200 }, (_, at) => firedEvent(at + 1, levelDraft())) })
  expect(exact.page({}).hasMore).toBe(false)
})

test('as a table says all of an event, with times in UTC and numbers as published and as typed', () => {
  const lines = inboxCsv([eth, brti]).split('\r\n')
  expect(lines[0]).toBe(
    '\ufeffnumber,recorded,kind,index,rule_version,condition,level,value,published,gap_since,direction,delivery,held_back_by,note,webhook_result',
  )
  expect(lines[1]).toContain(
    ',fired,ETHUSD_RTI,1,falls to,3500.50,3499.9,2023-11-01T12:00:00.000Z,,down,heldBack,cooldown,,',
  )
  expect(lines[2]).toBe(
    '1,2023-11-01T12:00:00.050Z,fired,BRTI,1,rises to,68000,68000.12,2023-11-01T12:00:00.000Z,2023-11-01T11:59:00.000Z,up,shown,,Sell the Half,',
  )
})

test('as a table runs no formula that stands in a note, and keeps a note of two lines in one field', () => {
  const csv = inboxCsv([
    { ...brti, note: '=HYPERLINK("https://bad.example")', webhookResult: '@SUM(1)' },
    { ...brti, note: 'one\ntwo, "three"', inputs: { value: '-0.5' } },
  ])
  expect(csv).toContain('"\'=HYPERLINK(""https://bad.example"")",\'@SUM(1)')
  expect(csv).toContain('"one\ntwo, ""three"""')
  expect(csv).toContain(',-0.5,')
})

test('the archive gives each event once and as last known, whatever order it was killed in', () => {
  const events = readArchive([
    { event: eth },
    { event: brti },
    { number: 2, delivery: 'clicked' },
    { event: { ...brti, delivery: 'failed' } },
    { number: 1, webhookResult: 'It answered 200.' },
    { number: 99, delivery: 'shown' },
  ])
  expect(events).toEqual([
    { ...brti, delivery: 'failed', webhookResult: 'It answered 200.' },
    { ...eth, delivery: 'clicked' },
  ])
})

test.each([
  [{ event: brti }, true],
  [{ number: 1, delivery: 'shown' }, true],
  [{ number: 1, webhookResult: 'It answered 200.' }, true],
  [{ event: { ...brti, terms: {} } }, false],
  [{ number: 0, delivery: 'shown' }, false],
  [{ number: 1, delivery: 'sent' }, false],
  [{}, false],
  [null, false],
])('as a line of the archive %j is good: %s', (entry, isGood) => {
  expect(isArchiveEntry(entry)).toBe(isGood)
})
