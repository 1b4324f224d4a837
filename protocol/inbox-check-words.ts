/** What checking the inbox found, in words. */
import type { InboxCheck, RecordedEvent } from './alert-events'

/** The answer as one sentence. `time` writes a time. */
export function inboxCheckWords(check: InboxCheck, time: (ms: number) => string): string {
  const named = ({ number, recordedAtMs }: RecordedEvent) =>
    `no. ${number}${recordedAtMs === undefined ? '' : ` of ${time(recordedAtMs)}`}`
  const { count, first, last, break: broken } = check
  if (broken !== undefined) {
    const { kind, number } = broken
    const what = number === undefined ? undefined : named({ ...broken, number })
    const before =
      count === 0
        ? ''
        : ` Before that ${count === 1 ? '1 event holds' : `${count.toLocaleString('en-GB')} events hold`}.`
    if (what === undefined) return `Broken: the newest events were removed.${before}`
    if (kind === 'missing') return `Broken: events before ${what} were removed.${before}`
    if (kind === 'changed') return `Broken: ${what} is not as it was recorded, or not at its place.${before}`
    return `Broken: ${what} was not added by Indexwatch.${before}`
  }
  if (first === undefined || last === undefined) return 'Unbroken: there are no events yet.'
  if (count === 1) return `Unbroken: 1 event, ${named(first)}.`
  return `Unbroken: ${count.toLocaleString('en-GB')} events, from ${named(first)} to ${named(last)}.`
}
