import type { IndexId } from '../../core/model'

/** The title of the window of an index: `BRTI 86,374.14 (Demo)`. `valueText` is undefined if it has no value. */
export function valueTitle(
  id: IndexId,
  valueText: string | undefined,
  { isOld, isDemo }: { isOld: boolean; isDemo: boolean },
): string {
  const marks = [...(isDemo ? ['Demo'] : []), ...(isOld && valueText !== undefined ? ['not live'] : [])]
  const words = [id, ...(valueText === undefined ? [] : [valueText])].join(' ')
  return marks.length === 0 ? words : `${words} (${marks.join(', ')})`
}
