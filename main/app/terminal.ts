import { eventTitle } from '../../protocol/alert-event-words'
import { ruleWords } from '../../protocol/alert-words'
import type { AlertEvent, AlertNotification } from '../../protocol/alert-events'
import { demoName } from '../../protocol/connection-words'
import {
  failure,
  type ConnectionStatus,
  type IndexId,
  type Outcome,
  type Publication,
  type QuoteSource,
} from '../../protocol/model'
import type { AppContext } from '../commands/context'
import { isFarFuture } from '../base/publication'
import { sanitizeText } from '../base/sanitize'
import type { Clock } from '../base/clock'
import type { WatchOptions } from '../desktop/launch-options'
import { listedEntries } from './views'

interface Options {
  clock: Clock
  context: Pick<AppContext, 'settings' | 'alerts' | 'connections'>
  watch: WatchOptions
  /** Writes one line, without its end. */
  print: (line: string) => void
  /** The service refuses every key: there is nothing left to wait for. */
  onKeyLost: (problem: string) => void
}

/** Why a watch cannot go on. */
export type WatchOver = 'badArguments' | 'keyLost'

const isoTime = (ms: number) => new Date(ms).toISOString()

/** Values and alerts as lines, for a watch without a window: of tabs for people and their tools, or of JSON for programs. */
export class Terminal {
  readonly #options: Options
  /** Absent: those of every list. */
  #ids: ReadonlySet<IndexId> | undefined
  /** The last line of each index: what REST and the stream both bring is printed once. */
  readonly #printed = new Map<IndexId, string>()
  #stateText = ''

  constructor(options: Options) {
    this.#options = options
  }

  /** The settings are read: prints from now on. Problem `notFound`: there is no list of a name asked for. */
  start(): Outcome<null> {
    const { context, watch } = this.#options
    const { watchlists } = context.settings.get()
    const unknown = watch.lists.find((name) => !watchlists.some((list) => list.name === name))
    if (unknown !== undefined) {
      const names = watchlists.map(({ name }) => `“${name}”`).join(', ')
      return failure('notFound', `There is no list “${unknown}”. There are: ${names}.`)
    }
    const listed = watchlists.filter(({ name }) => watch.lists.includes(name)).flatMap(({ entries }) => entries)
    const chosen = [...watch.ids, ...listed.map(({ id }) => id)]
    if (chosen.length > 0) this.#ids = new Set(chosen)
    context.connections.events.on('published', ({ id, publication, source }) => {
      this.#printValue(id, publication, source)
    })
    context.connections.events.on('statusChanged', () => {
      this.#printState(context.connections.status)
    })
    context.connections.events.on('refusalChanged', (id) => {
      this.#printRefusal(id)
    })
    return { ok: true, value: null }
  }

  /** Prints what an alert would be notified of, where alerts were asked for; the inbox has it in any case. */
  notify(notification: AlertNotification): void {
    const { context, watch } = this.#options
    for (const event of notification.kind === 'single' ? [notification.event] : notification.events) {
      context.alerts.noteDelivery(event.id, watch.printsAlerts ? 'shown' : 'off')
      if (watch.printsAlerts) this.#printAlert(event)
    }
  }

  #isChosen(id: IndexId): boolean {
    return this.#ids?.has(id) ?? listedEntries(this.#options.context.settings).some((entry) => entry.id === id)
  }

  #printValue(id: IndexId, publication: Publication, source: QuoteSource): void {
    const { clock } = this.#options
    if (!this.#isChosen(id) || isFarFuture(publication, clock.wallMs())) return
    const { value, publishedAtMs, amendedAtMs, isRepeatOfPrevious } = publication
    const key = [publishedAtMs, amendedAtMs, value].join()
    if (this.#printed.get(id) === key) return
    this.#printed.set(id, key)
    const origin = this.#origin(id)
    const published = isoTime(publishedAtMs)
    const amended = amendedAtMs === undefined ? undefined : isoTime(amendedAtMs)
    const isCarriedOver = isRepeatOfPrevious === true
    this.#print(
      {
        type: 'value',
        id,
        value,
        published,
        ...(amended !== undefined && { amended }),
        ...(isCarriedOver && { isCarriedOver }),
        source,
        ...origin,
      },
      [
        published,
        id,
        value,
        ...(amended === undefined ? [] : [`amended ${amended}`]),
        ...(isCarriedOver ? ['carried over'] : []),
        ...(origin.isDemo ? [demoName] : []),
      ],
    )
  }

  #printAlert(event: AlertEvent): void {
    const title = eventTitle(event, { number: (text) => text, time: isoTime, namesConnections: true })
    const { value, publishedAtMs } = event.inputs
    this.#print(
      {
        type: 'alert',
        kind: event.kind,
        id: event.indexId,
        title,
        rule: ruleWords(event, (text) => text),
        ruleId: event.ruleId,
        eventId: event.id,
        severity: event.severity,
        recorded: isoTime(event.recordedAtMs),
        ...(value !== undefined && { value }),
        ...(publishedAtMs !== undefined && { published: isoTime(publishedAtMs) }),
        ...(event.note !== undefined && { note: event.note }),
        connection: event.connection ?? '',
        isDemo: event.isDemo === true,
      },
      [isoTime(event.recordedAtMs), 'ALERT', title, ...(event.note === undefined ? [] : [event.note])],
    )
  }

  /** For programs alone: for people the log says the same beside. */
  #printState({ state, name, isDemo, problem }: ConnectionStatus): void {
    const text = `${state} ${problem ?? ''}`
    if (text === this.#stateText) return
    this.#stateText = text
    this.#print({ type: 'status', state, connection: name, isDemo, ...(problem !== undefined && { problem }) })
    if (state === 'notAuthorised') this.#options.onKeyLost(problem ?? 'The service refused the key.')
  }

  #printRefusal(id: IndexId): void {
    const reason = this.#options.context.connections.refusal(id)
    if (reason === undefined || !this.#isChosen(id)) return
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
    if (watch.isJson) print(JSON.stringify(forPrograms))
    // What comes from the service must not write over other lines.
    else if (forPeople !== undefined) print(forPeople.map((part) => sanitizeText(part)).join('\t'))
  }
}
