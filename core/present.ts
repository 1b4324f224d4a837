/**
 * The values that are there, in order: neither `false` nor `null` nor undefined. For lists whose entries depend on
 * conditions: `present('live', isOld && 'old', note)`.
 */
export function present<T>(...values: readonly (T | false | null | undefined)[]): T[] {
  return values.filter((value): value is T => value !== false && value !== null && value !== undefined)
}
