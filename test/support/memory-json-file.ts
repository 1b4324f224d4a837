import type { Outcome, Problem } from '../../core/model'
import type { JsonFile, JsonRead } from '../../main/base/json-file'

/** A JSON file in memory. Writes can be delayed like on a slow disk, or fail. */
export class MemoryJsonFile implements JsonFile {
  readonly name = 'memory.json'
  /** Everything written so far, oldest first. */
  readonly written: unknown[] = []
  /** While set, the disk fails. */
  problem: Problem | undefined
  readonly #read: JsonRead
  #gate: Promise<void> = Promise.resolve()

  constructor(read: JsonRead = { kind: 'absent' }) {
    this.#read = read
  }

  read(): Promise<JsonRead> {
    return Promise.resolve(this.#read)
  }

  async write(value: unknown): Promise<Outcome<null>> {
    const copy: unknown = JSON.parse(JSON.stringify(value))
    await this.#gate
    if (this.problem !== undefined) return { ok: false, problem: this.problem }
    this.written.push(copy)
    return { ok: true, value: null }
  }

  /** Delays writes until the returned function is called. */
  holdWrites(): () => void {
    let open = (): void => undefined
    this.#gate = new Promise((resolve) => {
      open = resolve
    })
    return () => open()
  }

  /** The file as the app's next run finds it. */
  reopened(): MemoryJsonFile {
    const last = this.written.at(-1)
    return last === undefined ? new MemoryJsonFile(this.#read) : new MemoryJsonFile({ kind: 'ok', value: last })
  }
}
