/**
 * Measures what 200 formulas over 40 indices cost the main process, all of them ticking five times a second: what is computed, put
 * to the tape's door, given to the store and to the trend. Prints CPU a round of ticks beside the 16.7 ms of a frame; asserts
 * nothing. `node --import ./test/support/typescript-resolution.js test/measure/formulas.ts [ROUNDS]`
 */
import { connectFormulas } from '../../main/app/formula-values'
import { distribute } from '../../main/app/received'
import { Emitter } from '../../main/base/emitter'
import type { ConnectionEvents } from '../../main/connections/connection-events'
import type { IndexPage } from '../../main/index-page/index-page'
import { FormulaPast } from '../../main/quotes/formula-past'
import { Formulas } from '../../main/quotes/formulas'
import { History } from '../../main/quotes/history'
import { QuoteStore } from '../../main/quotes/quote-store'
import { formulaId, formulaOperations } from '../../protocol/formula-id'
import { failure, type IndexId } from '../../protocol/model'
import { FakeClock } from '../support/fake-clock'
import { noRules } from '../support/open-alerts'
import { RecordedLog } from '../support/recorded-log'

const rounds = Number(process.argv[2] ?? '1500')
const indexCount = 40
const formulaCount = 200
const tickMs = 200

function onError(error: unknown): never {
  throw error
}

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

const ids = Array.from({ length: indexCount }, (_, at) => `I${at}`)
const wanted = Array.from({ length: formulaCount }, (_, at): IndexId => {
  const [left = '', right = ''] = [ids[at % indexCount], ids[(at + 1 + Math.floor(at / indexCount)) % indexCount]]
  const operation = formulaOperations[at % formulaOperations.length] ?? 'difference'
  return formulaId({ operation, left, right, decimals: 6, staleLimitSeconds: 60 })
})

/** All indices publish once; answers the CPU that took, in milliseconds. */
function tick(round: number): number {
  const before = process.cpuUsage()
  for (const [at, id] of ids.entries()) {
    const value = (10_000 + 50 * Math.sin(round / 475 + at)).toFixed(4)
    const publication = { value, publishedAtMs: clock.wallMs() }
    events.emit('published', { id, publication, source: 'stream', resolution: 'PER_200MS' })
  }
  const { user, system } = process.cpuUsage(before)
  clock.advance(tickMs)
  return (user + system) / 1_000
}

function measure(): number[] {
  for (let round = 0; round < 200; round++) tick(round)
  return Array.from({ length: rounds }, (_, round) => tick(round)).toSorted((a, b) => a - b)
}

const without = measure()
formulas.want(new Set([...ids, ...wanted]))
appended = 0
const withFormulas = measure()
const at = (all: readonly number[], share: number) => (all[Math.floor(share * (all.length - 1))] ?? 0).toFixed(2)
const each = appended / (rounds + 200)
console.log(`Values put on the tape in a round: ${each} (${indexCount} indices and ${formulaCount} formulas)`)
console.log(`CPU of a round without formulas: median ${at(without, 0.5)} ms, 99 % ${at(without, 0.99)} ms`)
console.log(
  `CPU of a round with formulas: median ${at(withFormulas, 0.5)} ms, 99 % ${at(withFormulas, 0.99)} ms; a frame has 16.7 ms`,
)
formulas.dispose()
