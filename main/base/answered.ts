/** Work in several steps that ends at the first step that fails. */
import { failure, ok, type Failure, type Outcome } from '../../core/model'
import type { ProblemCode } from '../../core/problems'

/** Ends the work. `answered` returns its failure. */
export class FailedStep extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.problem.message)
    this.failure = failure
  }
}

/** The value of a step. Throws its failure, which ends the work. Use it only within `answered`. */
export function need<T>(step: Outcome<T>): T {
  if (!step.ok) throw new FailedStep(step)
  return step.value
}

/** Ends the work with this failure. Use it only within `answered`. */
export function fail(code: ProblemCode, message: string): never {
  throw new FailedStep(failure(code, message))
}

/** The result of the work, or the failure of the first step that failed. */
export async function answered<T>(work: () => Promise<T> | T): Promise<Outcome<T>> {
  try {
    return ok(await work())
  } catch (error) {
    if (error instanceof FailedStep) return error.failure
    throw error
  }
}
