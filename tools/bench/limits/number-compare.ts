/** The limit of a rule, and wrong in 3 of 100 of all decimals: numbers. */
export function compareNumbers(values: readonly string[], level: string): void {
  const limit = Number(level)
  let reached = 0
  for (const value of values) if (Number(value) >= limit) reached++
  if (reached > 0) throw new Error('a value is at the level')
}
