/** Caches the result of `read` for each object. Hundreds of rules see each tick, and each parses its terms once. */
export function once<K extends object, T>(read: (of: K) => T): (of: K) => T {
  const known = new WeakMap<K, { value: T }>()
  return (of) => {
    const found = known.get(of)
    if (found !== undefined) return found.value
    const value = read(of)
    known.set(of, { value })
    return value
  }
}
