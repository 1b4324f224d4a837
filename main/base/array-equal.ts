/** Whether two lists have the very same things in the same order. */
export function arrayEqual<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
}
