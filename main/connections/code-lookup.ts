import type { IndexId, IndexInfo } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Connections } from './connections'

interface Options {
  clock: Clock
  connections: Pick<Connections, 'catalogue' | 'sourceOf' | 'noteCodes'>
}

/** Half of what the service allows. The rest is for what the user waits for. */
const spacingMs = 250
/** Codes are stored and shown in batches, because each batch stores the whole list of indices. */
const batchSize = 40

/**
 * Learns the codes of all indices, such as ISIN. The service has no list of codes, only the reference data of one index
 * at a time, so each index is asked about once.
 */
export class CodeLookup {
  readonly #options: Options
  #running: Promise<void> | undefined
  #isDisposed = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Asks about each index whose codes are not known. Resolves when all are known, or the service does not answer. */
  learn(): Promise<void> {
    this.#running ??= this.#learn().finally(() => (this.#running = undefined))
    return this.#running
  }

  dispose(): void {
    this.#isDisposed = true
  }

  async #learn(): Promise<void> {
    const { clock, connections } = this.#options
    const unknown = connections.catalogue.filter(({ codes }) => codes === undefined)
    const learned: Pick<IndexInfo, 'id' | 'codes'>[] = []
    for (const { id } of unknown) {
      const found = await this.#ask(id)
      if (found === undefined || this.#isDisposed) break
      learned.push(found)
      if (learned.length === batchSize) connections.noteCodes(learned.splice(0))
      await new Promise<void>((resolve) => clock.after(spacingMs, resolve))
    }
    if (!this.#isDisposed) connections.noteCodes(learned)
  }

  /** Undefined if the service did not answer. An index without reference data has no codes. */
  async #ask(id: IndexId): Promise<Pick<IndexInfo, 'id' | 'codes'> | undefined> {
    const answer = await this.#options.connections.sourceOf(id)?.detail(id)
    if (answer?.ok === true) return { id, codes: answer.value.codes ?? [] }
    const isRefused = answer?.problem.code === 'notFound' || answer?.problem.code === 'badRequest'
    return isRefused ? { id, codes: [] } : undefined
  }
}
