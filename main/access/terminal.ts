import { eventRecord, isoTime, publishedFields, recordJson } from '../../core/records'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertRule } from '../../core/alerts'
import { misfit } from '../../core/formula'
import { demoName } from '../../core/connection-words'
import { notJudgedOf, type Judging } from '../../protocol/judging'
import { done, failure, type IndexId, type Outcome, type Publication, type QuoteSource } from '../../core/model'
import { compareVersions, isFarFuture } from '../../core/publication'
import { printableJson, sanitizeText } from '../base/sanitize'
import type { Clock } from '../base/clock'
import type { WatchOptions } from '../desktop/launch-options'
import { idsIn } from './program-data'
import type { Owners } from './latest'

interface Options {
  clock: Clock
  context: Pick<Owners, 'settings' | 'alerts' | 'judging' | 'connections'>
  watch: WatchOptions
  /** Prints one line. The text has no line end. */
  print: (line: string) => void
  /** Every provider refused its key, so no more values will arrive. */
  onKeyLost: (problem: string) => void
  /** A rule named on the command line does not exist. Known only when the rules have been read. */
  onUnknownRule: (problem: string) => void
}

/** Why a watch cannot continue. */
export type WatchOver = 'badArguments' | 'keyLost'

function isAmendmentOfEarlier(publication: Publication, newest: Publication): boolean {
  return publication.amendedAtMs !== undefined && publication.publishedAtMs < newest.publishedAtMs
}

/** A rule is named by its id or its group. */
function isNamed({ id, group }: Pick<AlertRule, 'id' | 'group'>, name: string): boolean {
  return id === name || group === name
}

/** Prints values and alerts as lines, for a watch without a window: separated by tabs, or JSON. */
export class Terminal {
  readonly #options: Options
  #ids: ReadonlySet<IndexId> = new Set()
  /** The newest printed value of each index. */
  readonly #newest = new Map<IndexId, Publication>()
  /** Formulas whose indices do not suit them. Each is printed once. */
  readonly #misfits = new Set<IndexId>()
  #stateText = ''
  #judging: Judging = { state: 'reading' }

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Starts printing. Call it when the settings have been read. Problem `notFound`: a list named on the command line
   * does not exist.
   */
  start(): Outcome<null> {
    const { context, watch } = this.#options
    const { watchlists } = context.settings.get()
    const unknown = watch.lists.find((name) => !watchlists.some((list) => list.name === name))
    if (unknown !== undefined) {
      const names = watchlists.map(({ name }) => `“${name}”`).join(', ')
      return failure('notFound', `There is no watchlist “${unknown}”. Choose one of: ${names}.`)
    }
    const listed = idsIn(watchlists.filter(({ name }) => watch.lists.includes(name)))
    const chosen = new Set([...watch.ids, ...listed])
    this.#ids = chosen.size > 0 ? chosen : idsIn(watchlists)
    context.connections.events.on('published', ({ id, publication, source }) =>
      this.#printValue(id, publication, source),
    )
    context.connections.events.on('statusChanged', () => this.#printState())
    context.connections.events.on('refusalChanged', (id) => this.#printRefusal(id))
    context.connections.events.on('catalogueChanged', () => this.#printMisfits())
    this.#judgingChanged(context.judging.view)
    context.judging.events.on('changed', (judging) => this.#judgingChanged(judging))
    return done
  }

  /** Prints when alerts are turned off and on. Checks the rules named on the command line when they have been read. */
  #judgingChanged(judging: Judging): void {
    const { clock, onUnknownRule } = this.#options
    const before = this.#judging
    if (judging.state === 'reading') return
    this.#judging = judging
    const unknown = judging.state === 'judged' ? this.#unknownRule() : undefined
    if (unknown !== undefined) onUnknownRule(unknown)
    const now = isoTime(clock.wallMs())
    const notJudged = notJudgedOf(judging)
    const was = notJudgedOf(before)
    if (notJudged !== undefined && notJudged.reason !== was?.reason) {
      const { state, reason, words, remedy, sinceMs } = notJudged
      this.#print(
        { type: 'alerts', areJudged: false, state, reason, problem: words, remedy, since: isoTime(sinceMs) },
        [now, 'ALERTS', `${words}. ${remedy}`],
      )
    } else if (notJudged === undefined && was !== undefined) {
      const notWatched = { from: isoTime(was.sinceMs), to: now }
      const words =
        was.state === 'off'
          ? `Alerts are on again. No alerts were checked from ${notWatched.from} to ${now}.`
          : 'Alerts are recorded again.'
      this.#print({ type: 'alerts', areJudged: true, ...(was.state === 'off' && { notWatched }) }, [
        now,
        'ALERTS',
        words,
      ])
    }
  }

  /** The message for a rule named on the command line that does not exist. */
  #unknownRule(): string | undefined {
    const { context, watch } = this.#options
    const rules = context.alerts.views()
    const unknown = watch.rules.find((name) => !rules.some((rule) => isNamed(rule, name)))
    if (unknown === undefined) return undefined
    const groups = [...new Set(rules.flatMap(({ group }) => group ?? []))].map((group) => `“${group}”`)
    const there = groups.length === 0 ? 'No alert has a group' : `Groups are: ${groups.join(', ')}`
    return `No alert has the id or the group “${unknown}”. ${there}. --json prints the ids as ruleId.`
  }

  /** The watched indices. */
  get ids(): ReadonlySet<IndexId> {
    return this.#ids
  }

  /** Prints the events of a notification, if alerts are printed. The inbox has them in any case. */
  notify(events: readonly AlertEvent[]): void {
    const { alerts } = this.#options.context
    for (const event of events) {
      const isPrinted = this.#isAskedFor(event)
      alerts.noteOutcome(event.id, { delivery: isPrinted ? 'shown' : 'off' })
      if (isPrinted) this.#printAlert(event)
    }
  }

  #isAskedFor({ ruleId }: AlertEvent): boolean {
    const { context, watch } = this.#options
    if (!watch.printsAlerts || watch.rules.length === 0) return watch.printsAlerts
    const rule = context.alerts.view(ruleId)
    return rule !== undefined && watch.rules.some((name) => isNamed(rule, name))
  }

  #printValue(id: IndexId, publication: Publication, source: QuoteSource): void {
    const { clock } = this.#options
    if (!this.#ids.has(id) || isFarFuture(publication, clock.serviceMs())) return
    const newest = this.#newest.get(id)
    const isNewest = newest === undefined || compareVersions(publication, newest) > 0
    if (isNewest) this.#newest.set(id, publication)
    // A REST value beside the stream is a repetition or older.
    else if (source !== 'stream' || !isAmendmentOfEarlier(publication, newest)) return
    const record = { id, ...publishedFields(publication), source, ...this.#origin(id) }
    this.#print({ type: 'value', ...recordJson(record) }, [
      isoTime(record.published),
      id,
      record.value,
      ...(record.amended === undefined ? [] : [`amended ${isoTime(record.amended)}`]),
      ...(record.isCarriedForward ? ['carried forward'] : []),
      ...(record.missing === undefined ? [] : [`${record.missing} missing`]),
      ...(record.isDemo ? [demoName] : []),
    ])
  }

  #printAlert(event: AlertEvent): void {
    const record = eventRecord(event)
    this.#print({ type: 'alert', ...recordJson(record) }, [
      isoTime(record.recorded),
      'ALERT',
      record.text,
      ...(record.note === undefined ? [] : [record.note]),
    ])
  }

  /** Only for programs. For people the log shows the state. */
  #printState(): void {
    const { status, views } = this.#options.context.connections
    const { state, name, isDemo, problem } = status
    // The combined status is that of the worst connection.
    if (views.length > 0 && views.every((view) => view.state === 'notAuthorised')) {
      this.#options.onKeyLost(problem ?? 'The provider refused the key.')
    }
    const text = `${state} ${problem ?? ''}`
    if (text === this.#stateText) return
    this.#stateText = text
    this.#print({ type: 'status', state, connection: name, isDemo, problem })
  }

  #printRefusal(id: IndexId): void {
    const reason = this.#options.context.connections.refusal(id)
    if (reason !== undefined && this.#ids.has(id)) this.#printRefused(id, reason)
  }

  /** Formulas that never have a value, because of how often their indices publish. */
  #printMisfits(): void {
    for (const id of this.#ids) {
      const reason = this.#misfits.has(id)
        ? undefined
        : misfit(id, (part) => this.#options.context.connections.resolutionOf(part))
      if (reason === undefined) continue
      this.#misfits.add(id)
      this.#printRefused(id, reason)
    }
  }

  #printRefused(id: IndexId, reason: string): void {
    this.#print({ type: 'refused', id, reason, ...this.#origin(id) }, [
      isoTime(this.#options.clock.wallMs()),
      id,
      `refused: ${reason}`,
    ])
  }

  #origin(id: IndexId) {
    const { connections } = this.#options.context
    const { name, isDemo } = connections.connectionOf(id)?.status ?? connections.status
    return { connection: name, isDemo }
  }

  #print(forPrograms: Record<string, unknown>, forPeople?: readonly string[]): void {
    const { watch, print } = this.#options
    if (watch.isJson) print(printableJson(forPrograms))
    // Sanitized, so that text from the service cannot overwrite other lines.
    else if (forPeople !== undefined) print(forPeople.map((part) => sanitizeText(part)).join('\t'))
  }
}
