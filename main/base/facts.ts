import type { Fact } from '../../protocol/model'
import { readWords } from './untrusted-text'

const mostFacts = 50
const longestText = 500

/**
 * Fields whose meaning is the service's own, as they came: words as words, lists of words with
 * commas between, all else as JSON text, names and texts made
 * fit to show. Fields of `known`, of null and of nothing are left out; at most 50 are taken, each cut at 500 characters.
 */
export function readFacts(fields: Record<string, unknown>, known: ReadonlySet<string>): Fact[] {
  const facts: Fact[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (facts.length === mostFacts) break
    if (known.has(name) || field === null) continue
    const text = readWords(textOf(field), longestText)
    if (text !== '') facts.push({ name: readWords(name), text })
  }
  return facts
}

/** Text as it came, a list of texts with commas between, anything else as JSON. */
function textOf(field: unknown): string {
  if (typeof field === 'string') return field
  const isListOfTexts = Array.isArray(field) && field.every((item) => typeof item === 'string')
  return isListOfTexts ? field.join(', ') : JSON.stringify(field)
}
