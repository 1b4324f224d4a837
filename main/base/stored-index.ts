/** What is known of an index as the tape keeps it, in catalogues and on index pages. */
import * as v from 'valibot'
import { resolutions } from '../../protocol/model'
import { indexIdSchema } from '../../protocol/shapes'

export const indexInfoEntries = {
  id: indexIdSchema,
  name: v.exactOptional(v.string()),
  maxResolution: v.picklist(resolutions),
  decimals: v.exactOptional(v.number()),
  base: v.exactOptional(v.string()),
  quote: v.exactOptional(v.string()),
}
