/** True if both lists hold identical items in the same order. */
export function arrayEqual<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
}
