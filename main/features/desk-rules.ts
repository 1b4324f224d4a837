import { draftOf } from '../../core/alert-schema'
import { ruleWords } from '../../core/alert-words'
import type { AlertDraft, AlertRule } from '../../core/alerts'
import { formatDecimal } from '../../core/decimal'
import { readMessage, writeMessage, type DeskRule } from '../../core/desk'
import { done, failure, type Outcome } from '../../core/model'
import type { DeskView } from '../../protocol/desk'
import type { Owners } from '../access/latest'
import { timeText } from '../base/user-time'
import type { DeskLink, Entry } from '../desk/link'
import type { Core } from './feature'

interface Options extends Pick<Owners, 'alerts' | 'quotes'>, Pick<Core, 'clock' | 'settings'> {
  /** Undefined while the desk is not connected. */
  link: () => DeskLink | undefined
  /** The name of this seat's user. */
  user: () => string
  /** Why a draft cannot be an alert. */
  faultOf: (draft: AlertDraft) => Outcome<never> | undefined
  onChanged: () => void
}

type Known = DeskRule & { revision: number }

export const notConnected = failure('notConnected', 'The desk is not connected. Try again when it is.')
const unknownRule = failure('unknownRule', 'That alert no longer exists.')

function keyOf(ruleId: string): string {
  return `rule.${ruleId}`
}

/** The alerts of the desk as this seat knows them, and their changes. Of two changes at once the second is refused. */
export class DeskRules {
  readonly #options: Options
  readonly #known = new Map<string, Known>()
  #isKnown = false
  /** By alert, the version whose text a refusal showed to this user. */
  readonly #told = new Map<string, number>()

  constructor(options: Options) {
    this.#options = options
  }

  /** False before the alerts of the desk have come. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  views(): DeskView['alerts'] {
    return [...this.#known.values()].map(({ rule, by, atMs }) => ({ rule, by, atMs }))
  }

  clear(): void {
    this.#isKnown = false
    this.#known.clear()
    this.#told.clear()
  }

  /** Receives the alerts of a desk, and their changes from now on. Resolves with the function that ends it. */
  async follow(link: DeskLink): Promise<Outcome<() => void>> {
    const following = await link.kept().follow('rule.>', (entry) => this.#take(entry))
    if (!following.ok) return following
    const all = await link.kept().all('rule.>')
    if (!all.ok) {
      following.value()
      return all
    }
    for (const entry of all.value) this.#take(entry)
    this.#isKnown = true
    this.#options.onChanged()
    return following
  }

  #take({ key, value, isDeleted, revision }: Entry): void {
    const { alerts, onChanged } = this.#options
    const id = key.slice(keyOf('').length)
    const read = readMessage('rule', value)
    if (isDeleted) this.#known.delete(id)
    else if (read.kind !== 'read' || read.value.rule.id !== id) return
    else this.#known.set(id, { ...read.value, revision })
    // This computer ended while it moved the alert. The desk has it.
    if (this.#known.has(id) && alerts.view(id) !== undefined) void alerts.remove(id)
    if (this.#isKnown) onChanged()
  }

  /** Lets the desk judge one's own alert. */
  async move(ruleId: string): Promise<Outcome<null>> {
    const { alerts } = this.#options
    const own = alerts.view(ruleId)
    if (own === undefined) return unknownRule
    const put = await this.#put(this.#next(own, own))
    if (!put.ok) return put
    // The message about it may have removed the alert here already.
    const removed = await alerts.remove(ruleId)
    return alerts.view(ruleId) === undefined ? done : removed
  }

  /** Changes an alert of the desk. `version` is the one that the user opened. After a refusal, the told one counts as well. */
  async edit(ruleId: string, version: number, draft: AlertDraft): Promise<Outcome<null>> {
    const fault = this.#options.faultOf(draft)
    if (fault !== undefined) return fault
    if (draft.webhookUrl !== undefined)
      return failure('webhookUrl', 'An alert of the desk calls no webhook. Choose none.')
    const known = this.#known.get(ruleId)
    if (this.#options.link() === undefined) return notConnected
    const seen = [version, this.#told.get(ruleId)]
    if (known === undefined || !seen.includes(known.rule.version)) return this.#changedBy({ ...draft, id: ruleId })
    return this.#put(this.#next(known.rule, draft), known.revision)
  }

  /** Judges an alert of the desk here from now on. */
  async takeBack(ruleId: string): Promise<Outcome<null>> {
    const { alerts, quotes } = this.#options
    const known = this.#known.get(ruleId)
    const link = this.#options.link()
    if (link === undefined || known === undefined) return notConnected
    // First here, so that a crash in between loses nothing.
    const adopted = await alerts.adopt(this.#next(known.rule, known.rule), quotes.store.get(known.rule.indexId))
    if (!adopted.ok) return adopted
    const removed = await link.kept().remove(keyOf(ruleId), known.revision)
    if (removed.ok && removed.value) return done
    await alerts.remove(ruleId)
    return removed.ok ? this.#changedBy(known.rule) : removed
  }

  /** Writes an alert, in place of the one at this revision, or as a new one. */
  async #put(rule: AlertRule, revision?: number): Promise<Outcome<null>> {
    const { clock, user } = this.#options
    const link = this.#options.link()
    if (link === undefined) return notConnected
    const text = writeMessage('rule', { rule, by: user(), atMs: clock.wallMs() })
    const put = await link.kept().put(keyOf(rule.id), text, revision)
    if (!put.ok) return put
    return put.value === undefined ? this.#changedBy(rule) : done
  }

  /** The next version. A webhook is the user's own and does not travel. */
  #next({ id, version }: Pick<AlertRule, 'id' | 'version'>, draft: AlertDraft): AlertRule {
    const createdAtMs = this.#options.clock.wallMs()
    return { ...draftOf(draft), webhookUrl: undefined, id, version: version + 1, createdAtMs }
  }

  /** Says who was first and with what, beside what this user wanted. */
  async #changedBy(own: AlertDraft & { id: string }): Promise<Outcome<never>> {
    const { clock, link, settings } = this.#options
    const { timeZone, grouping } = settings.get()
    const sentence = (rule: AlertDraft) => `“${ruleWords(rule, (text) => formatDecimal(text, { grouping }))}”`
    // The message about the change may not be here yet.
    const found = await link()?.kept().get(keyOf(own.id))
    if (found?.ok === true && found.value !== undefined) this.#take(found.value)
    const first = found?.ok === true && found.value === undefined ? undefined : this.#known.get(own.id)
    if (first === undefined)
      return failure('duplicate', `Another seat took this alert from the desk. Yours is ${sentence(own)}.`)
    this.#told.set(own.id, first.rule.version)
    const when = timeText(first.atMs, clock.wallMs(), { precision: 'minute', timeZone })
    return failure(
      'duplicate',
      `${first.by} changed this alert at ${when} to ${sentence(first.rule)}. Yours is ${sentence(own)}. Try again to replace it.`,
    )
  }
}
