import type { CorporateAction } from '../../protocol/model'
import { readFacts } from './facts'
import { readTimeMs } from './publication'
import { isRecord } from './untrusted-text'

/** What the service says at one moment: the action that is active, or that none is. */
export interface CorporateActionState {
  publishedAtMs: number
  action: CorporateAction | null
}

export type CorporateActionFault = 'time' | 'action'

const envelope: ReadonlySet<string> = new Set(['type', 'id', 'time', 'stream'])
const nothingKnown: ReadonlySet<string> = new Set()

/**
 * Reads the corporate action of a tokenized equity (spec 4.1). The spec does not show its payload: the fields of
 * `action` are taken as they come and, where a service has no such field, those of the message itself. Answers the field
 * that made it unreadable.
 */
export function readCorporateAction(message: Record<string, unknown>): CorporateActionState | CorporateActionFault {
  const { time, action } = message as { time?: unknown; action?: unknown }
  const publishedAtMs = readTimeMs(time)
  if (publishedAtMs === undefined) return 'time'
  if (action === null) return { publishedAtMs, action: null }
  if (action !== undefined && !isRecord(action)) return 'action'
  const facts = action === undefined ? readFacts(message, envelope) : readFacts(action, nothingKnown)
  return facts.length === 0 ? 'action' : { publishedAtMs, action: { publishedAtMs, facts } }
}
