import type { AppendedRead, AppendFile } from '../../main/base/json-file'
import type { Outcome, Problem } from '../../protocol/model'

/** A growing file in memory; appending fails when told to. */
export class MemoryAppendFile implements AppendFile {
  readonly name = 'memory.jsonl'
  readonly entries: unknown[]
  /** Set while the disk fails. */
  problem: Problem | undefined
  readonly #setAsidePath: string | undefined

  constructor(entries: readonly unknown[] = [], setAsidePath?: string) {
    this.entries = [...entries]
    this.#setAsidePath = setAsidePath
  }

  read(): Promise<Outcome<AppendedRead>> {
    const setAside = this.#setAsidePath === undefined ? {} : { setAsidePath: this.#setAsidePath }
    return Promise.resolve({ ok: true, value: { entries: [...this.entries], ...setAside } })
  }

  append(entries: readonly unknown[]): Promise<Outcome<null>> {
    if (this.problem !== undefined) return Promise.resolve({ ok: false, problem: this.problem })
    const copies = JSON.parse(JSON.stringify(entries)) as unknown[]
    this.entries.push(...copies)
    return Promise.resolve({ ok: true, value: null })
  }
}
