const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** `5 min ago`. Undefined below one minute, because the page's clock is not more exact. */
export function agoText(atMs: number, nowMs: number): string | undefined {
  return nowMs - atMs < minute ? undefined : `${ageText(nowMs - atMs)} ago`
}

/** Milliseconds until the text of an age may change: up to a minute it counts seconds, then minutes. */
export function untilOlderMs(ageMs: number): number {
  const age = Math.max(0, ageMs)
  const stepMs = age < minute ? second : minute
  return stepMs - (age % stepMs)
}

/** An age in one short unit, rounded down: `0 s`, `33 s`, `4 min`, `22 h`, `3 d`. Never negative. */
export function ageText(ageMs: number): string {
  const age = Math.max(0, ageMs)
  if (age < minute) return `${Math.floor(age / second)} s`
  if (age < hour) return `${Math.floor(age / minute)} min`
  if (age < 3 * day) return `${Math.floor(age / hour)} h`
  return `${Math.floor(age / day)} d`
}
