/** What checking the inbox found, in words. */
import type { InboxCheck, RecordedEvent } from '../core/alert-events'

/** The answer as one sentence. `time` writes a time. */
export function inboxCheckWords(check: InboxCheck, time: (ms: number) => string): string {
  const named = ({ number, recordedAtMs }: RecordedEvent) =>
    `event ${number}${recordedAtMs === undefined ? '' : ` (${time(recordedAtMs)})`}`
  const { count, first, last, break: broken } = check
  if (broken !== undefined) {
    const { kind, number } = broken
    const what = number === undefined ? undefined : named({ ...broken, number })
    const before =
      count === 0
        ? ''
        : ` The ${count === 1 ? 'event before is' : `${count.toLocaleString('en-GB')} events before are`} intact.`
    if (what === undefined) return `Tampered: the newest events were removed.${before}`
    if (kind === 'missing') return `Tampered: events before ${what} were removed.${before}`
    if (kind === 'changed') return `Tampered: ${what} was changed or moved.${before}`
    return `Tampered: ${what} was not added by Indexwatch.${before}`
  }
  if (first === undefined || last === undefined) return 'Intact: there are no events yet.'
  if (count === 1) return `Intact: 1 event (no. ${first.number}).`
  return `Intact: ${count.toLocaleString('en-GB')} events (no. ${first.number}–${last.number}).`
}
