import type { Random } from '../base/random'

export interface BackoffLimits {
  baseMs: number
  floorMs: number
  capMs: number
}

/**
 * How long to wait after `failures` failed attempts before this one (0 for the first): anything up to the cap that
 * doubles each time, so that a thousand apps do not come back in step ("full jitter").
 */
export function backoffMs(failures: number, random: Random, limits: BackoffLimits): number {
  const ceilingMs = Math.min(limits.capMs, limits.baseMs * 2 ** failures)
  return Math.max(limits.floorMs, Math.floor(random() * ceilingMs))
}
