import type { ConnectionProfile, Problem } from '../../protocol/model'

export type ProfileField = keyof ConnectionProfile | 'keySecret'

const words: readonly [RegExp, ProfileField][] = [
  [/WebSocket address/i, 'webSocketUrl'],
  [/REST address/i, 'restUrl'],
  [/MCP address/i, 'mcpUrl'],
  [/key id/i, 'keyId'],
  [/secret/i, 'keySecret'],
  [/\bname\b/i, 'name'],
]

/** The field a refusal is about, by the validator's own words; `undefined` when it is about none of them. */
export function fieldOf(problem: Problem): ProfileField | undefined {
  return words.find(([pattern]) => pattern.test(problem.message))?.[1]
}
