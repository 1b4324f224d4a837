/** The direction of a change, shown by an arrow, a sign and a colour. */
export type Direction = 'up' | 'down' | 'flat'

/** The direction to show with a change. A percentage of 0.00 shows none, even if the difference is not zero. */
export function shownDirection({ direction, percent }: { direction: Direction; percent?: string }): Direction {
  return percent === undefined || /[1-9]/.test(percent) ? direction : 'flat'
}

/** The sign that a screen reader says in place of the arrow. */
export function signOf(direction: Direction): string {
  return { up: '+', down: '\u2212', flat: '' }[direction]
}
