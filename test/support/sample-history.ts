import type { AmendmentEntry } from '../../core/records'
import type { AmendmentPage, ValueAt } from '../../protocol/history'
import { toJson } from '../../protocol/json'
import { ok, type FakeDesktop } from './fake-desktop'
import { firedEvent, levelDraft } from './sample-alerts'
import { sampleNowMs } from './sample-now'

const minute = 60_000

/** Amendments of BRTI, every third of another index. Newest first. One in five concerned an alert. */
export function sampleAmendments(count: number): AmendmentEntry[] {
  return Array.from({ length: count }, (_, at) => {
    const publishedAtMs = sampleNowMs - 600 - (at + 1) * 37 * minute
    const isOther = at % 3 === 2
    const id = isOther ? 'SHIBUSD_RTI' : 'BRTI'
    const before = isOther ? '0.00001350' : `7976${at % 10}.34`
    const entry: AmendmentEntry = {
      id,
      publishedAtMs,
      amendedAtMs: publishedAtMs + 2 * minute + at * 1_000,
      learnedAtMs: publishedAtMs + 2 * minute + at * 1_000 + 180,
      connection: 'Desk',
      before,
      after: isOther ? '0.00001352' : `7976${(at + 1) % 10}.34`,
      difference: isOther ? '0.00000002' : at % 10 === 9 ? '-9.00' : '1.00',
      alerts: [],
    }
    if (at % 5 === 0) {
      const draft = levelDraft('79761.00', { indexId: id })
      entry.alerts = [firedEvent(at + 1, draft), firedEvent(at + 2, draft, { kind: 'retracted', aboutEventId: 'e1' })]
    }
    if (at === 3) {
      delete entry.before
      delete entry.difference
    }
    return entry
  })
}

/** Answers with these amendments as the app does, `pageSize` at a time. */
export function keepAmendments(fake: FakeDesktop, entries: () => readonly AmendmentEntry[], pageSize = 200): void {
  fake.handlers.getAmendments = ({ indexId, before }) => {
    const all = entries().filter(({ id }) => indexId === undefined || id === indexId)
    const from = before === undefined ? 0 : all.findIndex(({ amendedAtMs }) => amendedAtMs < before.amendedAtMs)
    const amendments = from === -1 ? [] : all.slice(from, from + pageSize)
    const last = amendments.at(-1)
    const page: AmendmentPage = { amendments }
    if (last !== undefined && last !== all.at(-1)) {
      page.next = { id: last.id, amendedAtMs: last.amendedAtMs, publishedAtMs: last.publishedAtMs }
    }
    return ok(toJson(page))
  }
}

/** A value that was published just before and amended a minute later. */
export function sampleValueAt(id: string, atMs: number): ValueAt {
  const publishedAtMs = Math.floor(atMs / 200) * 200
  const learned = { publishedAtMs, learnedAtMs: publishedAtMs + 140, source: 'stream' as const, connection: 'Desk' }
  const amended = { amendedAtMs: publishedAtMs + minute, learnedAtMs: publishedAtMs + minute + 210 }
  return {
    id,
    atMs,
    revisions: [
      { ...learned, value: '68123.40' },
      { ...learned, ...amended, value: '68124.400' },
    ],
    nextPublishedAtMs: publishedAtMs + 200,
  }
}
