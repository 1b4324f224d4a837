/** The name most likely meant by a misspelled one. Undefined if none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = typed.trim().toLowerCase()
  const maxEdits = wanted.length < 3 ? 0 : 1
  let nearest: { name: string; edits: number } | undefined
  for (const name of names) {
    const edits = editCount(wanted, name.toLowerCase(), Math.min(maxEdits, (nearest?.edits ?? Infinity) - 1))
    if (edits !== undefined) nearest = { name, edits }
  }
  return nearest?.name
}

/**
 * The number of letters to insert, delete, replace or swap with the next to turn one word into the other. Undefined if
 * more than `max`.
 */
function editCount(a: string, b: string, max: number): number | undefined {
  if (max < 0 || Math.abs(a.length - b.length) > max) return undefined
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row++) {
    const counts = [row]
    rows.push(counts)
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      counts[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      )
    }
  }
  const edits = at(a.length, b.length)
  return edits <= max ? edits : undefined
}
