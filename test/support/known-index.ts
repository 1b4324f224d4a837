import { findIndex } from '../../simulator/catalogue'
import type { IndexDefinition } from '../../simulator/index-definition'

/** An index of the simulator. Throws for an unknown id. */
export function knownIndex(id: string): IndexDefinition {
  const index = findIndex(id)
  if (index === undefined) throw new Error(`the simulator has no ${id}`)
  return index
}
