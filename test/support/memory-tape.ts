import Database from 'libsql'
import type { QuickQuestion } from '../../main/tape/answers'
import type { Learned, QuestionName, Questions, TapeAccess, TapeValue, Turn } from '../../main/tape/contract'
import { prepareSchema } from '../../main/tape/schema'
import { TapeStore } from '../../main/tape/store'
import { decodeValues, type EncodedValues } from '../../main/tape/value-rows'
import type { Outcome, Problem } from '../../protocol/model'

/** The tape's own store in the thread of the test: without a worker and a disk, and answering as late as the real one. */
export class MemoryTape implements TapeAccess {
  readonly store: TapeStore
  /** While set, no turn gets onto the disk; what was to be written is written with the next one that does. */
  problem: Problem | undefined
  #waiting: Turn[] = []
  /** Of all that waits: what is written together is answered together. */
  #outcome: Promise<Outcome<Learned[]>> | undefined

  constructor() {
    const database = new Database(':memory:')
    prepareSchema(database, () => undefined)
    this.store = new TapeStore(database)
  }

  append(values: readonly TapeValue[]): void {
    this.#waiting.push({ values })
  }

  commit(turn: Turn): Promise<Outcome<Learned[]>> {
    this.#waiting.push(turn)
    this.#outcome ??= Promise.resolve().then(() => this.#write())
    return this.#outcome
  }

  async ask<Q extends QuestionName>(
    question: Q,
    asked: Questions[Q]['asked'],
  ): Promise<Outcome<Questions[Q]['answer']>> {
    await (this.#outcome ?? Promise.resolve())
    this.#write()
    return { ok: true, value: this.#answer(question, asked) as Questions[Q]['answer'] }
  }

  #write(): Outcome<Learned[]> {
    this.#outcome = undefined
    if (this.problem !== undefined) return { ok: false, problem: this.problem }
    const turns = this.#waiting
    this.#waiting = []
    return { ok: true, value: turns.length === 0 ? [] : this.store.commit(turns) }
  }

  #answer(question: QuestionName, asked: unknown): unknown {
    if (question === 'clearBefore') {
      const steps = this.store.clear((asked as Questions['clearBefore']['asked']).beforeMs)
      while (steps.next().done !== true);
      return this.store.answer('size', null)
    }
    if (question === 'setBounds') {
      this.store.setBounds(asked as Questions['setBounds']['asked'])
      return null
    }
    const answer: unknown = this.store.answer(question, asked as Questions[QuickQuestion]['asked'])
    if (question !== 'values') return answer
    return decodeValues(answer as EncodedValues, asked as Questions['values']['asked'])
  }
}
