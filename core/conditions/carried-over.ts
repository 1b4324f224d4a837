import { condition } from '../evaluation/condition'
import { valueInputs } from '../evaluation/observation'

export const carriedOver = condition({
  group: 'Publication',
  fields: {},
  source: 'values',
  canHold: true,
  canBeTrueAtStart: true,
  seesRepeats: true,
  sentence: '[is carried forward]',
  samples: [{}],
  past: () => 'was carried forward',
  fired: (_, { value }) => `is carried forward: ${value}`,
  read(_, seen) {
    const isCarriedOver = seen.publication.isRepeatOfPrevious === true
    return {
      seen,
      up: { holds: isCarriedOver, arms: !isCarriedOver },
      atFirst: 'asSaid',
      inputs: () => valueInputs(seen),
      fact: isCarriedOver ? 'Carried forward' : 'A new value',
      rearm: 'a new value arrives',
    }
  },
})
