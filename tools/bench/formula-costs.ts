/** What formulas cost the main process: computed, put to the tape's door, given to the store and to the trend. */
import { connectFormulas } from '../../main/app/formula-values'
import { distribute } from '../../main/app/received'
import { Emitter } from '../../main/base/emitter'
import type { ConnectionEvents } from '../../main/connections/connection-events'
import type { IndexPage } from '../../main/index-page/index-page'
import { FormulaPast } from '../../main/quotes/formula-past'
import { Formulas } from '../../main/quotes/formulas'
import { History } from '../../main/quotes/history'
import { QuoteStore } from '../../main/quotes/quote-store'
import { formulaId, formulaOperations } from '../../core/formula-id'
import { failure, type IndexId } from '../../core/model'
import { FakeClock } from '../../test/support/fake-clock'
import { noRules } from '../../test/support/open-alerts'
import { RecordedLog } from '../../test/support/recorded-log'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 7
const ticksOfRound = 200
const indexCount = 40
const formulaCount = 200
const tickMs = 200

const ids = Array.from({ length: indexCount }, (_, at) => `INDEX${at}`)
const formulaIds = Array.from({ length: formulaCount }, (_, at): IndexId => {
  const [left = '', right = ''] = [ids[at % indexCount], ids[(at + 1 + Math.floor(at / indexCount)) % indexCount]]
  const operation = formulaOperations[at % formulaOperations.length] ?? 'difference'
  return formulaId({ operation, left, right, decimals: 6, staleLimitSeconds: 60 })
})

function onError(error: unknown): never {
  throw error
}

/** Has all indices publish; answers the CPU that this takes, in milliseconds for each time. */
function ticking(wanted: readonly IndexId[]): () => number {
  const clock = new FakeClock()
  const store = new QuoteStore({ clock, onError })
  const resolutionOf = () => 'PER_200MS' as const
  const formulas = new Formulas({ clock, store, resolutionOf, onError })
  const history = new History({ clock, changeBase: () => 'sessionFirst' })
  let appended = 0
  const tape = {
    append: () => void appended++,
    commit: () => Promise.resolve({ ok: true as const, value: [] }),
    ask: () => Promise.resolve(failure('notReady', 'Nothing is asked here.')),
  }
  const past = new FormulaPast({ tape, store, formulas, resolutionOf, log: new RecordedLog(), onError })
  const events = new Emitter<ConnectionEvents>(onError)
  const quotes = { store, history, demote: () => undefined }
  distribute(events, { clock, tape, quotes, page: {} as unknown as IndexPage, rules: noRules }, () => undefined)
  connectFormulas({ events, history, formulas, past, resolutionOf })
  formulas.want(new Set([...ids, ...wanted]))
  let ticks = 0
  return () => {
    const beforeUs = cpuUs()
    appended = 0
    for (let tick = 0; tick < ticksOfRound; tick++) {
      for (const [at, id] of ids.entries()) {
        const value = (10_000 + 50 * Math.sin(ticks / 475 + at)).toFixed(4)
        const publication = { value, publishedAtMs: clock.wallMs() }
        events.emit('published', { id, publication, source: 'stream', resolution: 'PER_200MS' })
      }
      clock.advance(tickMs)
      ticks++
    }
    if (appended < ticksOfRound * (ids.length + wanted.length) - wanted.length) throw new Error('a value is missing')
    return (cpuUs() - beforeUs) / 1_000 / ticksOfRound
  }
}

/** Beside the same indices without a formula. */
export function measureFormulas(): Promise<Samples> {
  return inTurns(rounds, { ours: ticking(formulaIds), limit: ticking([]) })
}
