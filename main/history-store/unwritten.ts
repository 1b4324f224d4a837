import type { Problem } from '../../core/model'
import type { WriteBatch } from './contract'

/** What the disk refused and waits to be written, and why. */
export interface Unwritten {
  problem: Problem
  /** Ids of rules, including removed ones. */
  rules: ReadonlySet<string>
  /** Ids. */
  events: ReadonlySet<string>
  /** Keys. */
  documents: ReadonlySet<string>
}

/** Undefined if only values wait. They can be fetched again. */
export function unwrittenIn(batches: readonly WriteBatch[], problem: Problem): Unwritten | undefined {
  const unwritten = {
    problem,
    rules: new Set(
      batches.flatMap(({ rules = [], removedRules = [] }) => [...rules.map(({ id }) => id), ...removedRules]),
    ),
    events: new Set(batches.flatMap(({ events = [] }) => events.map(({ id }) => id))),
    documents: new Set(batches.flatMap(({ documents = [] }) => documents.map(({ key }) => key))),
  }
  const isEmpty = unwritten.rules.size + unwritten.events.size + unwritten.documents.size === 0
  return isEmpty ? undefined : unwritten
}
