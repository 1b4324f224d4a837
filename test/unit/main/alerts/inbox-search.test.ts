import { expect, test } from 'vitest'
import { records, type ProgramRecord } from '../../../../core/records'
import { inboxRows } from '../../../../main/alerts/inbox'
import { recordsCsv } from '../../../../main/base/csv'
import type { AlertEvent, InboxQuery } from '../../../../core/alert-events'
import { historyWith } from '../../../support/memory-history'
import { openAlerts } from '../../../support/open-alerts'
import { valueOf } from '../../../support/value-of'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const atMs = Date.UTC(2023, 10, 1, 12)
const brti = firedEvent(1, levelDraft('68000'), {
  ruleId: 'r1',
  note: 'Sell the Half',
  connection: 'Desk',
  isDemo: false,
  recordedAtMs: atMs + 50,
  inputs: { value: '68000.12', publishedAtMs: atMs, gapSinceMs: atMs - 60_000, direction: 'up' },
})
const eth = firedEvent(2, levelDraft('3500.50', { indexId: 'ETHUSD_RTI', condition: 'fallsTo' }), {
  inputs: { value: '3499.9', publishedAtMs: atMs, direction: 'down' },
  connection: 'Demo',
  isDemo: true,
  delivery: 'heldBack',
  heldBackBy: 'cooldown',
})
const over = firedEvent(3, levelDraft('3500.50', { indexId: 'ETHUSD_RTI' }), { kind: 'cooldownOver', heldBackCount: 4 })

async function joined(pages: AsyncIterable<ProgramRecord[]>): Promise<string> {
  const rows: ProgramRecord[] = []
  for await (const page of pages) rows.push(...page)
  return recordsCsv(records.inboxEvent, rows)
}

async function table(events: AlertEvent[]): Promise<string> {
  async function* pages() {
    for (const event of events) yield Promise.resolve([event])
  }
  return joined(inboxRows(pages()))
}

async function found(query: InboxQuery): Promise<number[]> {
  const { engine } = await openAlerts(await historyWith({ events: [brti, eth, over] }))
  return valueOf(await engine.page(query)).events.map(({ number }) => number)
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
])('the query %j finds %j', async (query, numbers) => {
  expect(await found(query)).toEqual(numbers)
})

test('the inbox is read in pages of two hundred without repeats or omissions', async () => {
  const events = Array.from({ length: 450 }, (_, at) => firedEvent(at + 1, levelDraft()))
  const { engine } = await openAlerts(await historyWith({ events }))
  const numbers: number[] = []
  let query: InboxQuery = {}
  for (const size of [200, 200, 50]) {
    const page = valueOf(await engine.page(query))
    expect(page.events).toHaveLength(size)
    expect(page.hasMore).toBe(size === 200)
    numbers.push(...page.events.map(({ number }) => number))
    query = { before: page.events.at(-1)?.number ?? 0 }
  }
  expect(numbers).toEqual(Array.from({ length: 450 }, (_, at) => 450 - at))
  // The table has all of them.
  const csv = await joined(engine.rows({}))
  expect(csv.split('\n').filter((line) => line !== '')).toHaveLength(451)
})

test('a table of events has times in UTC and numbers as published and as typed', async () => {
  const lines = (await table([eth, brti])).split('\n')
  expect(lines[0]).toBe(
    'eventId,number,kind,text,id,ruleId,ruleVersion,rule,condition,level,hours,severity,recorded,value,published,amended,gapSince,missedSince,ended,noDataFrom,noDataTo,direction,aboutEventId,note,connection,isDemo,delivery,suppressedBy,webhookResult,secondChannel',
  )
  expect(lines[1]).toContain(',1,ETHUSD_RTI falls to 3500.50,fallsTo,3500.50,,normal,')
  expect(lines[1]).toContain(',3499.9,2023-11-01T12:00:00.000Z,,,,,,,down,,,Demo,yes,suppressed,cooldown,,')
  expect(lines[2]).toMatch(/^e1,1,fired,"BRTI rose to 68000\.12 \(level 68000\), crossed in a gap /)
  expect(lines[2]).toContain(
    ',BRTI,r1,1,BRTI rises to 68000,risesTo,68000,,normal,2023-11-01T12:00:00.050Z,68000.12,2023-11-01T12:00:00.000Z,,2023-11-01T11:59:00.000Z,,,,,up,,Sell the Half,Desk,no,shown,,,',
  )
})

test('a table of events neither runs a formula in a note nor splits its lines', async () => {
  const csv = await table([
    { ...brti, note: '=HYPERLINK("https://bad.example")', webhookResult: '@SUM(1)' },
    { ...brti, note: 'one\ntwo, "three"', inputs: { value: '-0.5' } },
    { ...brti, hours: { days: ['mon', 'tue'], from: '09:00', to: '17:00', timeZone: 'UTC' } },
  ])
  expect(csv).toContain('"\'=HYPERLINK(""https://bad.example"")"')
  expect(csv).toContain(",'@SUM(1),")
  expect(csv).toContain('"one\ntwo, ""three"""')
  expect(csv).toContain(',-0.5,')
  expect(csv).toContain(',risesTo,68000,"Mon, Tue 09:00–17:00 UTC",normal,')
})
