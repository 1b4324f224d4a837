/** The day a time belongs to where the user is, as `2026-11-21`. `timeZone` is a zone's name or `system`. */
export function userDay(timeMs: number, timeZone: string): string {
  const zone = timeZone === 'system' ? {} : { timeZone }
  const parts = new Intl.DateTimeFormat('en', { ...zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(timeMs)
    .map(({ type, value }): [string, string] => [type, value])
  const named = new Map(parts)
  return [named.get('year'), named.get('month'), named.get('day')].join('-')
}
