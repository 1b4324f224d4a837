/** Texts about what happened while the app was away. */
import { present } from '../../core/present'
import { roughSpanText } from '../../core/spans'
import type { AwayReport } from '../../protocol/away'

/** `2 h 14 min · 1 gap (5 min), filled from history`. */
export function awayWords({ fromMs, toMs, gaps }: Pick<AwayReport, 'fromMs' | 'toMs' | 'gaps'>): string {
  return present(roughSpanText(toMs - fromMs), gaps && gapWords(gaps)).join(' · ')
}

function gapWords({ count, totalMs, filled }: NonNullable<AwayReport['gaps']>): string {
  const all = `${count} ${count === 1 ? 'gap' : 'gaps'} (${roughSpanText(totalMs)})`
  if (filled === undefined) return all
  if (filled.state === 'all') return `${all}, filled from history`
  const part = filled.missingMs >= totalMs ? '' : `${roughSpanText(filled.missingMs)} `
  return `${all}, ${part}${filled.state === 'open' ? 'not filled yet' : 'unrecoverable'}`
}

/** `3 values of BRTI amended`, `APT_SRR carried forward`, `LINK added to NCI`. Empty if nothing changed. */
export function dataWords({
  amended,
  carriedOver,
  members,
}: Pick<AwayReport, 'amended' | 'carriedOver' | 'members'>): string[] {
  const { count, hasMore, indexIds } = amended
  const number = hasMore ? `more than ${count}` : `${count}`
  return present(
    count > 0 && `${number} ${count === 1 ? 'value' : 'values'} of ${nameList(indexIds)} amended`,
    carriedOver.length > 0 && `${nameList(carriedOver)} carried forward`,
    ...members.flatMap(({ id, joined, left }) => [
      joined.length > 0 && `${nameList(joined)} added to ${id}`,
      left.length > 0 && `${nameList(left)} removed from ${id}`,
    ]),
  )
}

/** `BRTI`, `BRTI and NCI`, `BRTI, NCI and 3 others`. */
function nameList(names: readonly string[]): string {
  const shown = names.length <= 3 ? names : names.slice(0, 2)
  const rest = names.length - shown.length
  const all = rest === 0 ? shown : [...shown, `${rest} others`]
  const last = all.at(-1) ?? ''
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`
}
