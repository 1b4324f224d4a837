/** A duration in the largest units that express it exactly: `90 s`, `5 min`, `2 h`, `1 d 12 h`. */
export function spanText(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const
  let rest = ms
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count} ${unit}`)
    rest -= count * size
  }
  if (rest > 0 || parts.length === 0) parts.push(`${rest} ms`)
  return parts.join(' ')
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** As `spanText`, rounded: to seconds below a minute, to minutes below a day, else to hours. */
export function roughSpanText(ms: number): string {
  const unit = ms < minuteMs ? secondMs : ms < 24 * hourMs ? minuteMs : hourMs
  return spanText(Math.max(unit, Math.round(ms / unit) * unit))
}
