/**
 * The alert engine over a history in a real file, in a process that kills itself before a given statement. Prints each
 * notification. At the end it prints the number of statements and the inbox.
 */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { AlertEngine } from '../../main/alerts/engine'
import { SystemClock } from '../../main/base/clock'
import { createLog } from '../../main/base/log'
import { HistoryTables } from '../../main/history-store/tables'
import type { StoredValue } from '../../main/history-store/contract'
import type { AlertDraft } from '../../core/alerts'
import type { Publication } from '../../core/model'
import { DeadlyDatabase } from './deadly-database'
import { MemoryHistory } from './memory-history'

export type CrashCommand =
  | { do: 'create'; draft: AlertDraft }
  | { do: 'value'; publication: Publication }
  | { do: 'learn'; publications: Publication[] }
  /** The value is published while the first rule is created. */
  | { do: 'import'; drafts: AlertDraft[]; publication: Publication }
  /** Starts the count of statements. */
  | { do: 'count' }

export type CrashSaying =
  | { notified: number }
  | {
      statements: number
      ruleCount: number
      inbox: { number: number; kind: string; publishedAtMs: number | undefined; delivery: string }[]
    }

/** Waits are short, so that nothing is still queued when the process ends. */
class QuickClock extends SystemClock {
  override after(delayMs: number, run: () => void): () => void {
    return super.after(Math.min(delayMs, 5), run)
  }
}

const [path = '', dieAt = '0', manner] = process.argv.slice(2)
function say(saying: CrashSaying): void {
  writeSync(1, `${JSON.stringify(saying)}\n`)
}

const demo = { id: 'demo', name: 'Demo' }
const deadly = new DeadlyDatabase(path, Number(dieAt))
const history = new MemoryHistory(new HistoryTables(deadly.database))
const clock = new QuickClock()
const engine = new AlertEngine({
  clock,
  newId: randomUUID,
  log: createLog({ write: (line) => process.stderr.write(line), redact: (text) => text, clock }),
  // A planted fault reports a batch as written before it is.
  history:
    manner === 'notifiesFirst'
      ? {
          append: (values) => history.append(values),
          commit: (turn) => {
            setTimeout(() => void history.commit(turn), 50)
            return Promise.resolve({ ok: true, value: [] })
          },
          query: (question, asked) => history.query(question, asked),
        }
      : history,
  cadenceOf: () => 'PER_SECOND',
  originOf: () => ({ connection: 'Desk', isDemo: false }),
})
engine.events.on('notify', (events) => {
  for (const event of events) {
    say({ notified: event.inputs.publishedAtMs ?? 0 })
    engine.noteOutcome(event.id, { delivery: 'shown' })
  }
})
await engine.use()
for await (const line of createInterface({ input: process.stdin })) await follow(JSON.parse(line) as CrashCommand)
await settled()
const page = await engine.page({})
const events = page.ok ? page.value.events : []
say({
  statements: deadly.statements,
  ruleCount: engine.views().length,
  inbox: events.map(({ number, kind, inputs, delivery }) => {
    return { number, kind, publishedAtMs: inputs.publishedAtMs, delivery }
  }),
})
engine.dispose()

function toHistory(publication: Publication, origin: StoredValue['origin']): StoredValue {
  return {
    ...publication,
    id: 'BRTI',
    learnedAtMs: publication.publishedAtMs,
    origin,
    connection: demo.name,
    connectionId: demo.id,
  }
}

function receive(publication: Publication): void {
  history.append([toHistory(publication, 'stream')])
  engine.consider(undefined, { ...publication, id: 'BRTI', source: 'stream' }, demo)
}

async function follow(command: CrashCommand): Promise<void> {
  if (command.do === 'count') deadly.isCounting = true
  else if (command.do === 'create') await engine.create(command.draft, 'wait', undefined)
  else if (command.do === 'value') receive(command.publication)
  else if (command.do === 'import') {
    let isFirst = true
    await engine.createAll(command.drafts, () => {
      if (isFirst) receive(command.publication)
      isFirst = false
      return undefined
    })
  } else {
    const values = command.publications.map((each) => toHistory(each, 'catchUp'))
    engine.learnedLate('BRTI', command.publications, history.commit({ values }), demo)
  }
  await settled()
}

/** Waits until everything is stored, notified and its delivery recorded. */
async function settled(): Promise<void> {
  await engine.flush()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await engine.flush()
}
