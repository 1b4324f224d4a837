import type { CatalogueEntry } from './catalogue'
import type { Published } from './publications'

/** A value frame, with the keys in the order of production (wire facts 1.3). */
export function valueFrame(id: string, { time, value, amendTime, repeatOfPreviousValue }: Published): string {
  return JSON.stringify({ type: 'value', time, id, value, amendTime, repeatOfPreviousValue })
}

/** The streams a key may use (spec 4.1). */
export function infoFrame(entries: readonly CatalogueEntry[]): string {
  return JSON.stringify({ type: 'info', streams: entries.map(({ id, maxResolution }) => ({ id, maxResolution })) })
}

/** A command that failed comes back with the reason (spec 2.6). */
export function failureFrame(command: { type: string; id?: unknown; stream?: unknown }, reason: string): string {
  const { type, id, stream } = command
  return JSON.stringify({ type, id, stream, success: false, reason })
}

/** Reference data of an index (spec 2.7): `base` and `quote` are left out when there is none. */
export function indexSummary({ id, name, decimals, base, quote, maxResolution }: CatalogueEntry) {
  return { id, name, decimals, base, quote, demiseDateTime: null, maxResolution }
}
