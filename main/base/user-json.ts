/** JSON in a file that the user chose. */
import { isNestedTooDeep, readWords } from './untrusted-text'

/** Above this such a file is not even read. */
export const mostUserJsonBytes = 2 ** 20

/** Takes a byte order mark, as editors leave it; `undefined` where this is no JSON, or deeper than any of ours. */
export function parseUserJson(text: string): unknown {
  if (isNestedTooDeep(text)) return undefined
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** Where in the file, as a programmer would write it: `lists[2].entries[5].id`. */
export function placeIn(root: string, path: readonly { key?: unknown }[]): string {
  return path.reduce((place, { key }) => place + (typeof key === 'number' ? `[${key}]` : `.${fieldIn(key)}`), root)
}

/** The name of a field of the file, which may be any text, fit for a message. */
export function fieldIn(key: unknown): string {
  return readWords(String(key), 60)
}
