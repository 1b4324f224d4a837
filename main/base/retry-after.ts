const shortestMs = 1_000
const longestMs = 3_600_000

/**
 * How long a Retry-After header asks to wait: seconds or an HTTP date, kept between one second and one hour;
 * `undefined` when there is none or it says neither.
 */
export function retryAfterMs(header: string | undefined, wallMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const waitMs = /^-?\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - wallMs
  return Number.isNaN(waitMs) ? undefined : Math.min(longestMs, Math.max(shortestMs, waitMs))
}
