/** Maximum size of a request. Separate from the validators, so that the preload can check it before sending. */
import { failure } from '../../core/model'

export interface Allowance {
  nodes: number
  characters: number
}

export const tooLarge = failure('tooLarge', 'The text is too long for one request.')

/**
 * True if `value` is small enough to be checked. A page may send 50 MB strings, arrays of millions and cyclic objects
 * over the context bridge. Stops counting as soon as the result is known, and uses the length of an array.
 */
export function isSmall(value: unknown, max: Allowance): boolean {
  let nodes = 0
  let characters = 0
  const waiting = [value]
  const hasRoomFor = (count: number) => nodes + waiting.length + count <= max.nodes
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (++nodes > max.nodes) return false
    if (typeof next === 'string') characters += next.length
    else if (ArrayBuffer.isView(next) || next instanceof ArrayBuffer) return false
    else if (Array.isArray(next)) {
      if (!hasRoomFor(next.length)) return false
      waiting.push(...(next as unknown[]))
    } else if (typeof next === 'object' && next !== null) {
      const keys = Object.keys(next)
      if (!hasRoomFor(keys.length)) return false
      for (const key of keys) characters += key.length
      waiting.push(...(Object.values(next) as unknown[]))
    }
    if (characters > max.characters) return false
  }
  return true
}
