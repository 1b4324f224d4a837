/** What holds for lists wherever they come from: made by hand, put back or read from a file. */

/** Far above any list a person keeps; keeps the settings small enough to be read back. */
export const mostEntries = 2_000
export const mostLists = 100
/** More would not be read in a tray's menu. */
export const mostPinned = 10

/** Whether two lists would be taken for the same one: names differ by more than capitals and the way accents are written. */
export function isSameListName(a: string, b: string): boolean {
  return folded(a) === folded(b)
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}
