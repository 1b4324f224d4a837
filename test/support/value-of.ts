import type { Outcome } from '../../core/model'

/** The value of an outcome. Throws its problem. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.problem.code}: ${outcome.problem.message}`)
  return outcome.value
}
