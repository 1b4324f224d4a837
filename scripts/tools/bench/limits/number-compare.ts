/** The limit of a rule: comparing numbers, which is wrong for 3 of 100 decimals. */
export function compareNumbers(values: readonly string[], level: string): void {
  const limit = Number(level)
  let reached = 0
  for (const value of values) if (Number(value) >= limit) reached++
  if (reached > 0) throw new Error('a value is at the level')
}
