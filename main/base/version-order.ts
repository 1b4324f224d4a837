import type { Publication } from '../../protocol/model'

/**
 * Order of two publications of one index, negative where `a` gives way to `b`: by time, then by time of amendment, none
 * being the least. Two that still differ should not exist; their order is arbitrary but fixed, so that every order of
 * arrival ends with the same value.
 */
export function compareVersions(a: Publication, b: Publication): number {
  return (
    a.publishedAtMs - b.publishedAtMs ||
    (a.amendedAtMs ?? -1) - (b.amendedAtMs ?? -1) ||
    compareTexts(a.value, b.value) ||
    Number(a.isRepeatOfPrevious === true) - Number(b.isRepeatOfPrevious === true)
  )
}

/** By code units; a locale must not decide which value is the latest. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Whether both are the same revision of the same calculation. */
export function isSameVersion(a: Publication, b: Publication): boolean {
  return a.publishedAtMs === b.publishedAtMs && a.amendedAtMs === b.amendedAtMs
}
