/** Which way a change goes, as an arrow, a sign and a colour show it. */
export type Direction = 'up' | 'down' | 'flat'

/** The direction to show with a change: none with a percentage whose digits are all zero, which stands for the change. */
export function shownDirection({ direction, percent }: { direction: Direction; percent?: string }): Direction {
  return percent === undefined || /[1-9]/.test(percent) ? direction : 'flat'
}

/** The sign to be read out where the eye sees an arrow. */
export function signOf(direction: Direction): string {
  return { up: '+', down: '\u2212', flat: '' }[direction]
}
