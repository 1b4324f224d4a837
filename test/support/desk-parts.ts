import { randomUUID } from 'node:crypto'
import { AlertEngine } from '../../main/alerts/engine'
import { SystemClock, type Clock } from '../../main/base/clock'
import type { JsonFile } from '../../main/base/json-file'
import { DeskLink, type DeskAccess } from '../../main/desk/link'
import { DeskSeat, type Watched } from '../../main/desk/seat'
import { DeskWatcher } from '../../main/desk/watcher'
import { writeMessage } from '../../core/desk'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertRule } from '../../core/alerts'
import type { Outcome, Publication } from '../../core/model'
import { MemoryHistory } from './memory-history'
import { MemoryJsonFile } from './memory-json-file'
import { RecordedLog } from './recorded-log'

export function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.value
}

/** Lets tests wait a tenth of the time. */
export class QuickClock extends SystemClock {
  override after(delayMs: number, run: () => void): () => void {
    return super.after(delayMs / 10, run)
  }
  override busyMs(): number {
    return super.busyMs() * 10
  }
}

const source = { id: 'test', name: 'Test' }

/** The alert engine over a history, as one program of a desk has it. */
export class JudgingEngine {
  readonly engine: AlertEngine
  readonly history: MemoryHistory
  readonly clock: Clock

  private constructor(clock: Clock, history: MemoryHistory) {
    this.clock = clock
    this.history = history
    this.engine = new AlertEngine({
      clock,
      newId: randomUUID,
      log: new RecordedLog(),
      history,
      cadenceOf: () => 'PER_SECOND',
      originOf: () => ({ connection: 'Test', isDemo: false }),
    })
  }

  static async open(clock: Clock = new SystemClock(), history = new MemoryHistory()): Promise<JudgingEngine> {
    const opened = new JudgingEngine(clock, history)
    await opened.engine.use()
    return opened
  }

  /** Receives values that were missed. */
  learn(publications: readonly Publication[], id = 'BRTI'): void {
    const learned = { id, learnedAtMs: this.clock.wallMs(), origin: 'catchUp', connection: 'Test' } as const
    const values = publications.map((each) => ({ ...each, ...learned }))
    this.engine.learnedLate(id, publications, this.history.commit({ values }), source)
  }

  /** Receives a value of the stream. */
  see(publication: Publication, id = 'BRTI'): void {
    const learned = { id, learnedAtMs: this.clock.wallMs(), origin: 'stream', connection: 'Test' } as const
    this.history.append([{ ...publication, ...learned }])
    this.engine.consider(undefined, { ...publication, id, source: 'stream' }, source)
  }
}

interface WatcherParts {
  /** Plants a fault. */
  wrap?: (link: DeskLink) => DeskLink
  clock?: Clock
  access: DeskAccess
  name: string
  judging: JudgingEngine
  memory?: JsonFile
  isJudging?: () => boolean
  isLive?: () => boolean
  begins?: boolean
  hosts?: string[]
}

/** A watcher with a real engine. */
export async function startWatcher({
  access,
  name,
  judging,
  memory,
  isJudging,
  isLive,
  begins,
  hosts,
  ...parts
}: WatcherParts) {
  const notices: string[] = []
  const { engine, history } = judging
  const clock = parts.clock ?? judging.clock
  const { wrap = (each: DeskLink) => each } = parts
  const link = wrap(valueOf(await DeskLink.open(access, name)))
  const watcher = new DeskWatcher({
    clock,
    log: new RecordedLog(),
    link,
    name,
    tape: {
      lastNumber: () => engine.inbox()[0]?.number ?? 0,
      after: async (after) => {
        const page = await history.query('events', { after })
        return page.ok ? { ok: true, value: page.value.events } : page
      },
      event: async (id) => {
        const found = await history.query('event', { id })
        return found.ok ? (found.value ?? undefined) : undefined
      },
    },
    rules: {
      adopt: (rule) => engine.adopt(rule, undefined),
      remove: (id) => engine.remove(id),
    },
    memory: memory ?? new MemoryJsonFile(),
    isJudging: isJudging ?? (() => engine.isJudging),
    isLive: isLive ?? (() => true),
    hosts: () => hosts ?? ['test.example'],
    notice: (message) => notices.push(message),
  })
  const started = await watcher.start(begins ?? false)
  engine.events.on('changed', () => watcher.decided())
  const stop = async () => {
    await watcher.stop()
    await link.close()
    engine.dispose()
  }
  return { watcher, link, notices, started, stop }
}

interface SeatParts {
  access: DeskAccess
  memory?: JsonFile
  judging?: JudgingEngine
  clock?: Clock
  /** Stands in for the inbox. */
  store?: (events: readonly AlertEvent[]) => Promise<Outcome<unknown>>
}

/** A seat with a real inbox. */
export async function startSeat({ access, memory, judging, clock, store }: SeatParts) {
  const own = judging ?? (await JudgingEngine.open())
  const notices: string[] = []
  const watched: Watched[] = []
  const link = valueOf(await DeskLink.open(access, 'seat'))
  const seat = new DeskSeat({
    clock: clock ?? own.clock,
    log: new RecordedLog(),
    link,
    memory: memory ?? new MemoryJsonFile(),
    store: store ?? ((events) => own.engine.receive(events)),
    onWatch: (watch) => watched.push(watch),
    notice: (message) => notices.push(message),
  })
  const started = await seat.start()
  const stop = async () => {
    await seat.stop()
    await link.close()
  }
  return { seat, link, notices, watched, started, stop, judging: own, inbox: () => own.engine.inbox() }
}

/** Gives the desk a rule. */
export async function putRule(link: DeskLink, rule: AlertRule, revision?: number): Promise<number> {
  const text = writeMessage('rule', { rule, by: 'Ana', atMs: Date.UTC(2026, 10, 26) })
  const put = valueOf(await link.kept().put(`rule.${rule.id}`, text, revision))
  if (put === undefined) throw new Error('the rule is there already')
  return put
}
