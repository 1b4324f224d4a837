/**
 * The alert engine over real files, in a process that can be killed at any step. Reads commands from its standard input,
 * one JSON value a line; says what it notifies of, and in the end what is in the inbox.
 */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlertDocument } from '../../main/alerts/alert-document'
import { AlertEngine } from '../../main/alerts/engine'
import { isArchiveEntry } from '../../main/alerts/inbox-archive'
import type { AlertFiles } from '../../main/alerts/alert-repository'
import { SystemClock } from '../../main/base/clock'
import { createLog } from '../../main/base/log'
import { JsonLinesFile } from '../../main/storage/append-file'
import { AtomicJsonFile } from '../../main/storage/atomic-file'
import type { AlertDraft } from '../../protocol/alerts'
import { dieAt, reached } from './crashing-fs'

export type CrashCommand =
  | { do: 'create'; draft: AlertDraft }
  | { do: 'value'; value: string; publishedAtMs: number }
  | { do: 'dieAt'; step: string }

/** How the engine's files are spoilt, to see that it is found out. */
export type CrashManner = 'sound' | 'notifiesFirst' | 'dropsFirst'

export type CrashSaying =
  | { notified: number }
  | {
      inbox: { number: number; kind: string; publishedAtMs: number | undefined; delivery: string }[]
      notices: string[]
    }

/** Waits are short, so that nothing is still queued when the process ends. */
class QuickClock extends SystemClock {
  override after(delayMs: number, run: () => void): () => void {
    return super.after(Math.min(delayMs, 5), run)
  }
}

const [folder = '', manner] = process.argv.slice(2)
const clock = new QuickClock()
/** What comes before the step to die at is done well in any manner. */
let isSpoilt = false

function say(saying: CrashSaying): void {
  writeSync(1, `${JSON.stringify(saying)}\n`)
}

function files(): AlertFiles {
  const how = { clock, maxBytes: 2 ** 20 }
  const file = new AtomicJsonFile({ ...how, path: join(folder, 'alerts.json'), accepts: isAlertDocument })
  const archive = new JsonLinesFile({ ...how, path: join(folder, 'alerts-inbox.jsonl'), accepts: isArchiveEntry })
  const done = Promise.resolve({ ok: true, value: null } as const)
  if (manner === 'notifiesFirst') {
    const write = (value: unknown) => {
      const written = file.write(value)
      return isSpoilt ? done : written
    }
    return { file: { name: file.name, read: () => file.read(), write }, archive }
  }
  if (manner === 'dropsFirst') {
    const append = (entries: readonly unknown[]) => {
      if (!isSpoilt) return archive.append(entries)
      void pause(1_000).then(() => archive.append(entries))
      return done
    }
    return { file, archive: { name: archive.name, read: () => archive.read(), append } }
  }
  return { file, archive }
}

const engine = new AlertEngine({
  clock,
  newId: randomUUID,
  log: createLog({ write: (line) => process.stderr.write(line), redact: (text) => text, clock }),
  cadenceOf: () => 'PER_SECOND',
  tailSize: { max: 4, kept: 2 },
})
const notices: string[] = []
engine.events.on('notice', (notice) => notices.push(notice))
engine.events.on('notify', (notification) => {
  for (const event of notification.kind === 'single' ? [notification.event] : notification.events) {
    say({ notified: event.inputs.publishedAtMs ?? 0 })
    reached('notified')
    engine.noteDelivery(event.id, 'shown')
  }
})
await engine.use(files())
for await (const line of createInterface({ input: process.stdin })) await follow(JSON.parse(line) as CrashCommand)
await pause(50)
await engine.flush()
const { events } = engine.page({})
say({
  inbox: events.map(({ number, kind, inputs, delivery }) => {
    return { number, kind, publishedAtMs: inputs.publishedAtMs, delivery }
  }),
  notices,
})
engine.dispose()

async function follow(command: CrashCommand): Promise<void> {
  if (command.do === 'dieAt') {
    isSpoilt = true
    dieAt(command.step)
  } else if (command.do === 'create') await engine.create(command.draft, 'wait', undefined)
  else {
    const { value, publishedAtMs } = command
    engine.consider(undefined, { id: 'BRTI', value, publishedAtMs, source: 'stream' })
    await engine.flush()
  }
}
