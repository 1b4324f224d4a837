import type { Tamper } from '../../../simulator/tamper'

/** A deliberate violation of the protocol, which the suite must detect. */
export interface Mutant {
  readonly name: string
  /** The violated section. A test of that section must fail. */
  readonly section: string
  /** The file of the suite with that section, without its extension. */
  readonly file: string
  readonly tamper: Tamper
}
