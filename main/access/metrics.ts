import { readdirSync, readFileSync } from 'node:fs'
import { stateWords } from '../../core/connection-words'
import { done, type IndexId, type Outcome } from '../../core/model'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertView } from '../../core/alerts'
import type { ConnectionView } from '../../protocol/responses'
import { CallLimit } from '../base/call-limit'
import type { Clock } from '../base/clock'
import { sanitizeText } from '../base/sanitize'
import type { FieldName } from '../../core/records'
import { maxOpenFiles } from '../desktop/linux-session'
import { isStaleIndex, type Owners } from './latest'
import { listenOnLoopback, refusal, type Listening, type LoopbackAnswer } from './loopback-server'

interface Options {
  clock: Clock
  context: Pick<Owners, 'quotes' | 'alerts' | 'judging' | 'connections' | 'diagnostics' | 'appVersion'>
  /** The watched indices. */
  ids: () => Iterable<IndexId>
  /** Removes secrets from a text. */
  redact: (text: string) => string
  onError: (error: unknown) => void
  /** Undefined unless this watch is connected to a desk. */
  desk: () => DeskMetrics | undefined
}

/** State of a watcher of a desk. */
export interface DeskMetrics {
  leads: boolean
  /** Number of events that are not known to be published. */
  unpublished: number
  seats: number
}

/** Labels have the names of records. Only metric names follow the Prometheus style. */
type Labels = Partial<Record<FieldName | 'version' | 'state', string>>

const maxAmendmentsKept = 1_000

/** State of the app in the text format of Prometheus, for programs on this computer. */
export class Metrics {
  readonly #options: Options
  readonly #limit: CallLimit
  #amendmentCount = 0
  /** The latest counted amendments: index, published time and amended time. */
  readonly #amendments = new Set<string>()
  #firedCount = 0
  /** Reconnects of each connection that was live. */
  readonly #reconnects = new Map<string, number>()
  readonly #liveIds = new Set<string>()
  #listening: Listening | undefined

  constructor(options: Options) {
    this.#options = options
    this.#limit = new CallLimit(options.clock)
    const { quotes, alerts, connections } = options.context
    quotes.store.events.on('received', ({ id, publication: { publishedAtMs, amendedAtMs } }) => {
      if (amendedAtMs !== undefined) this.#noteAmendment(`${id} ${publishedAtMs} ${amendedAtMs}`)
    })
    alerts.events.on('notify', (notification) => this.#noteAlerts(notification))
    connections.events.on('statusChanged', () => this.#noteStates())
  }

  /** Serves the metrics at this port. Problems: `inUse`, `noPermission`. */
  async listen(port: number): Promise<Outcome<null>> {
    const { onError } = this.#options
    const listening = await listenOnLoopback({ port, answer: ({ path }) => this.#answer(path), onError })
    if (!listening.ok) return listening
    this.#listening = listening.value
    return done
  }

  dispose(): void {
    this.#listening?.close()
  }

  /** The current metrics. */
  text(): string {
    const { context, ids } = this.#options
    const { connections, quotes, appVersion } = context
    const views = withUniqueNames(connections.views)
    const labelsOf = ({ name, isDemo }: ConnectionView): Labels => ({ connection: name, isDemo: String(isDemo) })
    const ages = [...ids()].flatMap((id): [Labels, number][] => {
      const ageMs = quotes.store.ageMs(id)
      return ageMs === undefined ? [] : [[{ id }, Math.round(ageMs) / 1_000]]
    })
    return [
      this.#family('info', 'gauge', 'The version of Indexwatch.', [[{ version: appVersion }, 1]]),
      this.#family('index_age_seconds', 'gauge', 'Time since the latest value of an index was published.', ages),
      this.#family(
        'index_stale',
        'gauge',
        'Whether the latest value of an index is older than its frequency allows.',
        ages.map(([labels]) => [labels, Number(isStaleIndex(context, labels.id ?? ''))]),
      ),
      this.#family(
        'connection_up',
        'gauge',
        'Whether a connection is live.',
        views.map((view) => [labelsOf(view), Number(view.state === 'live')]),
      ),
      this.#family(
        'connection_state',
        'gauge',
        'State of a connection: 1 for the current state.',
        views.flatMap((view) =>
          Object.keys(stateWords).map((state): [Labels, number] => [
            { ...labelsOf(view), state },
            Number(view.state === state),
          ]),
        ),
      ),
      this.#family(
        'reconnects_total',
        'counter',
        'How often a connection reconnected after it was live.',
        views.map((view) => [labelsOf(view), this.#reconnects.get(view.id) ?? 0]),
      ),
      ...this.#singles().map(([name, type, help, value]) => this.#family(name, type, help, [[{}, value]])),
    ].join('')
  }

  /** The metrics with one value. */
  #singles(): Single[] {
    const { clock, context } = this.#options
    const { alerts, judging, diagnostics } = context
    const active = judging.view.state === 'off' ? 0 : alerts.views().filter(mayFire).length
    const aheadSeconds = Math.round(clock.serviceMs() - clock.wallMs()) / 1_000
    const dropped = diagnostics().counters['feed.dropped'] ?? 0
    const isJudged = Number(judging.view.state === 'judged')
    return [
      ['dropped_frames_total', 'counter', 'Messages of the stream that could not be read.', dropped],
      ['amendments_total', 'counter', 'Amended values received.', this.#amendmentCount],
      ['alerts_judged', 'gauge', 'Whether alerts are checked and their events recorded.', isJudged],
      ['rules_active', 'gauge', 'Alerts that are checked and may fire.', active],
      ['alerts_fired_total', 'counter', 'Alerts that fired and were not suppressed.', this.#firedCount],
      ['clock_skew_seconds', 'gauge', clockSkewHelp, aheadSeconds],
      ...this.#deskSingles(),
      ...processMetrics(),
    ]
  }

  #deskSingles(): Single[] {
    const desk = this.#options.desk()
    if (desk === undefined) return []
    const { leads, unpublished, seats } = desk
    return [
      ['desk_leads', 'gauge', 'Whether this watcher publishes the alerts of the desk.', Number(leads)],
      ['desk_unpublished_events', 'gauge', 'Events of this watcher that the desk does not have yet.', unpublished],
      ['desk_seats_connected', 'gauge', 'Seats that are connected to the desk.', seats],
    ]
  }

  #answer(path: string): LoopbackAnswer {
    const admitted = this.#limit.admit()
    if (!admitted.ok) return refusal(429, admitted.problem.message)
    if (path !== '/metrics') return refusal(404, 'Not found. Try /metrics.')
    return { status: 200, type: 'text/plain; version=0.0.4', body: this.text() }
  }

  /** Services repeat amendments, even long after. */
  #noteAmendment(name: string): void {
    if (this.#amendments.has(name)) return
    this.#amendmentCount++
    this.#amendments.add(name)
    const [oldest] = this.#amendments
    if (oldest !== undefined && this.#amendments.size > maxAmendmentsKept) this.#amendments.delete(oldest)
  }

  #noteAlerts(events: readonly AlertEvent[]): void {
    this.#firedCount += events.filter(({ kind }) => kind === 'fired').length
  }

  #noteStates(): void {
    for (const { id, state } of this.#options.context.connections.views) {
      const known = this.#reconnects.get(id)
      if (state !== 'live') this.#liveIds.delete(id)
      else if (!this.#liveIds.has(id)) {
        this.#liveIds.add(id)
        this.#reconnects.set(id, known === undefined ? 0 : known + 1)
      }
    }
  }

  #family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly [Labels, number][]): string {
    const full = name.startsWith('process_') ? name : `indexwatch_${name}`
    const lines = samples.map(([labels, value]) => `${full}${this.#labels(labels)} ${value}`)
    return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines, ''].join('\n')
  }

  #labels(labels: Labels): string {
    const texts = Object.entries(labels).map(([name, text]) => {
      const plain = this.#options.redact(sanitizeText(text))
      return `${name}="${plain
        .replaceAll('\\', '\\\\')
        .replaceAll('"', String.raw`\"`)
        .replaceAll('\n', ' ')}"`
    })
    return texts.length === 0 ? '' : `{${texts.join(',')}}`
  }
}

const clockSkewHelp = "How far the provider's clock is ahead of this computer's, 0 within two seconds."

type Single = [name: string, type: 'gauge' | 'counter', help: string, value: number]

/** Of the main process, by the names that Prometheus gives them. Open files are known on Linux only. */
function processMetrics(): Single[] {
  const { user, system } = process.cpuUsage()
  const files = (): Single[] => [
    ['process_open_fds', 'gauge', 'Open files of the main process.', readdirSync('/proc/self/fd').length],
    [
      'process_max_fds',
      'gauge',
      'Most files that the main process may open.',
      maxOpenFiles(readFileSync('/proc/self/limits', 'utf8')),
    ],
  ]
  return [
    ['process_cpu_seconds_total', 'counter', 'Processor time of the main process.', (user + system) / 1e6],
    ['process_resident_memory_bytes', 'gauge', 'Memory of the main process.', process.memoryUsage.rss()],
    ['process_start_time_seconds', 'gauge', 'Unix time of the start.', Math.round(performance.timeOrigin) / 1_000],
    ...(process.platform === 'linux' ? files() : []),
  ]
}

function mayFire({ phase, reach }: AlertView): boolean {
  return !['triggered', 'expired', 'suspended'].includes(phase) && typeof reach !== 'object'
}

/** Two connections can have the same name, but two series cannot have the same labels. */
function withUniqueNames(views: readonly ConnectionView[]): ConnectionView[] {
  return views.map((view, at) => {
    const before = views.slice(0, at).filter(({ name }) => name === view.name).length
    return before === 0 ? view : { ...view, name: `${view.name} (${before + 1})` }
  })
}
