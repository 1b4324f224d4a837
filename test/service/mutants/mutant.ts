import type { Tamper } from '../../../simulator/tamper'

/** A deliberate violation of the spec, which the suite must notice. */
export interface Mutant {
  readonly name: string
  /** The section it violates: a test of that section must fail. */
  readonly section: string
  /** The file of the suite with that section, without its extension. */
  readonly file: string
  readonly tamper: Tamper
}
