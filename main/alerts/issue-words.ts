import type * as v from 'valibot'

/** What a validator found wrong, as a sentence that says what to do. Messages of our own stay as they are. */
export function issueWords(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message
  switch (issue.type) {
    case 'strict_object':
      if (issue.expected === 'never') return 'There is no such field. Remove it.'
      return issue.expected === 'Object' ? 'It must be an object.' : 'It is missing. Add it.'
    case 'variant':
    case 'picklist':
    case 'literal':
      return `It must be ${choices(issue.expected)}.`
    case 'number':
    case 'safe_integer':
      return 'It must be a whole number.'
    case 'min_value':
      return `It must be a whole number of at least ${String(issue.requirement)}.`
    case 'max_value':
      return `It must be a whole number of at most ${String(issue.requirement)}.`
    case 'string':
      return 'It must be a text in quotation marks.'
    case 'min_length':
      return 'It is empty. Write something or leave it out.'
    case 'max_length':
      return `It is too long. Shorten it to ${issue.expected?.replace('<=', '') ?? 'fewer'} characters.`
    default:
      return 'It is not what is expected here. See the description of the file.'
  }
}

/** `("a" | "b")` as `"a" or "b"`; an object is what a variant expects of no object at all. */
function choices(expected: string | null): string {
  const names = (expected ?? '').replace(/[()]/g, '').split(' | ')
  return names.length === 1 && names[0] === 'Object' ? 'an object' : names.join(' or ')
}
