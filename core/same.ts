/** Deep equality of plain data. */
export function isSame(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  const names = Object.keys(a)
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
