import { isRealTime } from '../../../core/cadence'
import { decimalsOf, divideDecimals } from '../../../core/decimal'
import { shownTimeMs } from '../../../core/freshness'
import { formulaWords } from '../../../core/formula'
import { formulaTitle, parseFormula } from '../../../core/formula-id'
import type { IndexId, IndexInfo, Resolution, WatchlistEntry } from '../../../core/model'
import type { ChangeBase } from '../../../core/preferences'
import { referenceText, unknownReferenceText } from '../../format/change'
import { missingText } from '../../format/flags'
import { publishedText } from '../../format/published-time'
import { isAgedBySecond } from '../../format/resolution-words'
import { formatValue, valueParts } from '../../format/value'
import { display } from '../../state/display.svelte'
import type { Page } from '../../state/page'
import type { Row } from '../../state/row.svelte'

/** The content of a row of a list. It is used to draw the cells and to measure the columns. */
export class ListRow {
  readonly entry: WatchlistEntry
  readonly id: IndexId
  readonly #mirror: Page['mirror']
  /** The words with which all names begin. They are left out. */
  readonly #beginning: () => string
  readonly title: string
  readonly hint: string
  readonly parts = $derived(valueParts(this.row.valueText ?? '—', this.info?.decimals))
  /** "58 of 60" for a formula that is a mean and lacks values. Otherwise empty. */
  readonly missing = $derived(this.row.quote ? missingText(this.row.quote) : '')
  readonly isCached = $derived(this.row.quote?.source === 'cache')
  /** True if the change is measured against the previous fixing. The head of the table shows the other baselines. */
  readonly isVsFixing = $derived(
    this.row.change !== undefined && this.row.facts?.reference?.kind === 'previousPublished',
  )
  readonly alert = $derived.by(() => this.#mirror.alertOf(this.id))
  readonly changeTitle = $derived.by(() => {
    const reference = this.row.facts?.reference
    return reference ? referenceText(reference, display) : this.row.quote && unknownReferenceText(this.base)
  })
  readonly published = $derived.by(() => {
    const { quote } = this.row
    return quote && publishedText(shownTimeMs(quote), this.#mirror.nowMs, isAgedBySecond(this.resolution), display)
  })
  /** The mean of the last minute. `missing` is "58 of 60", and empty if all values are there. */
  readonly mean = $derived.by(() => {
    const { mean, value } = this.row.quote ?? {}
    if (mean === undefined || value === undefined || !isRealTime(this.resolution)) return undefined
    const { sum, counted, expected } = mean
    const rounded = divideDecimals(sum, String(counted), this.info?.decimals ?? decimalsOf(value)) ?? sum
    return {
      value: rounded,
      text: formatValue(rounded, display),
      missing: counted === expected ? '' : `${counted} of ${expected}`,
    }
  })
  /** The age of a value that should have a successor. */
  readonly overdueText = $derived(this.row.quote && this.row.isOverdue ? this.row.ageText : undefined)
  readonly flags = $derived.by(() => this.#mirror.flags(this.id))

  constructor(entry: WatchlistEntry, mirror: Page['mirror'], beginning: () => string) {
    const { id } = entry
    const formula = parseFormula(id)
    this.entry = entry
    this.id = id
    this.#mirror = mirror
    this.#beginning = beginning
    this.title = formula ? formulaTitle(formula) : id
    this.hint = formula ? formulaWords(formula) : id
  }

  get row(): Row {
    return this.#mirror.row(this.id)
  }

  get info(): IndexInfo | undefined {
    return this.#mirror.info(this.id)
  }

  get resolution(): Resolution | undefined {
    return this.info?.maxResolution
  }

  get base(): ChangeBase {
    return this.#mirror.state?.settings.changeBase ?? 'previousClose'
  }

  get isPinned(): boolean {
    return this.#mirror.state?.settings.pinnedIds.includes(this.id) === true
  }

  get refusal(): string | undefined {
    return this.row.facts?.refusal
  }

  /** The reason why there is no value. It replaces the name. */
  get noValueText(): string | undefined {
    const { noValue } = this.row.facts ?? {}
    if (this.refusal !== undefined) return `Refused: ${this.refusal}`
    return noValue && `No value: ${noValue}`
  }

  get name(): string {
    const { name = '' } = this.info ?? {}
    const beginning = this.#beginning()
    return name.startsWith(beginning) ? name.slice(beginning.length) : name
  }
}
