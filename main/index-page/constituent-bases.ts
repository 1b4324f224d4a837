import type { OpenedIndex } from '../../protocol/desktop'
import type { ConstituentsPublication, IndexId, Outcome } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { JsonFile, JsonRead } from '../base/json-file'
import type { Log } from '../base/log'
import { readBases, toBasesDocument, type ConstituentsBase } from './base-document'

export interface ConstituentBasesEvents {
  /** The base of this index is another one, or gone. */
  changed: IndexId
  /** A sentence the user should read once. */
  notice: string
}

export const mostBases = 100
/** Well within what is read of the file: baskets can be large. */
const usualMostBytes = 8 * 2 ** 20

/** A base with what it takes in the file. */
interface Held {
  base: ConstituentsBase
  bytes: number
}

/**
 * Owner of the bases that the user set: one for each index, at most a hundred, the oldest dropped. A base is there when
 * it is on the disk; where it could not be saved, everything stays as it was and the answer says why.
 */
export class ConstituentBases {
  readonly events: Emitter<ConstituentBasesEvents>
  readonly #clock: Clock
  readonly #mostBytes: number
  #file: JsonFile | undefined
  /** Oldest first; replaced, never changed. */
  #held: ReadonlyMap<IndexId, Held> = new Map()
  #setAside: readonly unknown[] = []
  /** Not before the file has been read: what is written would take the place of what stands in it. */
  #isReady = false
  /** The file is of a newer version and not ours to change. */
  #isForeign = false
  #lastChange: Promise<unknown> = Promise.resolve()

  /** `mostBytes` is what all bases may take in the file together. */
  constructor({ clock, log, mostBytes = usualMostBytes }: { clock: Clock; log: Log; mostBytes?: number }) {
    this.#clock = clock
    this.#mostBytes = mostBytes
    this.events = new Emitter((error) => {
      log.error('A listener of the bases failed', { error: String(error) })
    })
  }

  /** Reads the bases and keeps them in this file from now on; those of the file before stay in theirs. */
  async use(file: JsonFile): Promise<void> {
    this.#isReady = false
    this.#file = file
    this.#held = new Map()
    this.#setAside = []
    this.#isForeign = false
    await this.flush()
    const read = await file.read()
    // Another file has been taken up meanwhile.
    if (this.#file !== file) return
    const found = 'value' in read ? readBases(read.value) : undefined
    this.#isForeign = found !== undefined && found.kind !== 'ok'
    if (found?.kind === 'ok') {
      this.#held = new Map(found.bases.map((base) => [base.indexId, { base, bytes: bytesOf(base) }]))
      this.#setAside = found.setAside
    }
    this.#isReady = true
    const setAsideCount = found?.kind === 'ok' ? found.setAsideCount : 0
    const notice = this.#isForeign ? newerNotice(file.name) : readingNotice(read, file.name, setAsideCount)
    if (notice !== undefined) this.events.emit('notice', notice)
    // Written at once, so that the next start does not tell of the same entries again.
    if (setAsideCount > 0) await file.write(this.#document(this.#held))
  }

  get(indexId: IndexId): OpenedIndex['base'] {
    const base = this.#held.get(indexId)?.base
    return base && { constituents: base.constituents, setAtMs: base.setAtMs }
  }

  /** Makes these constituents the base of the index, in place of the one before. */
  set(
    indexId: IndexId,
    { value, publishedAtMs, divisor, constituents }: ConstituentsPublication,
  ): Promise<Outcome<null>> {
    const base: ConstituentsBase = {
      indexId,
      setAtMs: this.#clock.wallMs(),
      constituents: {
        value,
        publishedAtMs,
        ...(divisor === undefined ? {} : { divisor }),
        constituents: constituents.map((each) => ({
          constituent: each.constituent,
          value: each.value,
          weightPercent: each.weightPercent,
        })),
      },
    }
    return this.#change(indexId, (held) => {
      held.delete(indexId)
      held.set(indexId, { base, bytes: bytesOf(base) })
      dropOldest(held, this.#mostBytes)
    })
  }

  /** Without a base there is nothing to do, and that is no failure. */
  clear(indexId: IndexId): Promise<Outcome<null>> {
    return this.#change(indexId, (held) => held.delete(indexId))
  }

  /** Done when what was asked for is saved, or has failed. */
  async flush(): Promise<void> {
    await this.#lastChange
  }

  /** One change after the other: each starts from what the one before left on the disk. */
  #change(indexId: IndexId, change: (held: Map<IndexId, Held>) => unknown): Promise<Outcome<null>> {
    const file = this.#file
    const changed = this.#lastChange.then(async (): Promise<Outcome<null>> => {
      if (file === undefined || !this.#isReady || this.#file !== file) {
        return failure('notReady', 'The bases are still being read. Try again in a moment.')
      }
      if (this.#isForeign) {
        return failure('newerBases', 'The file of bases is of a newer version. Install that to set or clear a base.')
      }
      const next = new Map(this.#held)
      change(next)
      const saved = await file.write(this.#document(next))
      if (!saved.ok || this.#file !== file) return saved
      this.#held = next
      this.events.emit('changed', indexId)
      return saved
    })
    this.#lastChange = changed
    return changed
  }

  #document(held: ReadonlyMap<IndexId, Held>): unknown {
    const bases = [...held.values()].map(({ base }) => base)
    return toBasesDocument(bases, this.#setAside)
  }
}

function bytesOf(base: ConstituentsBase): number {
  return Buffer.byteLength(JSON.stringify(base))
}

/** Keeps within what the file may hold; the newest stays in any case. */
function dropOldest(held: Map<IndexId, Held>, mostBytes: number): void {
  let bytes = [...held.values()].reduce((sum, each) => sum + each.bytes, 0)
  for (const [indexId, oldest] of [...held]) {
    if (held.size === 1 || (held.size <= mostBases && bytes <= mostBytes)) return
    held.delete(indexId)
    bytes -= oldest.bytes
  }
}

function newerNotice(name: string): string {
  return `The file of bases ${name} was written by a newer version of Indexwatch. It is left as it is, and no base can be set here. Install the newer version to use it.`
}

function readingNotice(read: JsonRead, name: string, setAsideCount: number): string | undefined {
  if (read.kind === 'restored') {
    return `The file of bases ${name} could not be read. The last good copy is in use: check the bases of your indices. The damaged file is kept as ${read.setAsidePath}.`
  }
  if (read.kind === 'lost') {
    return `The file of bases ${name} could not be read and there was no copy: set the bases of your indices again. The damaged file is kept as ${read.setAsidePath}.`
  }
  if (setAsideCount === 0) return undefined
  return `Entries of the file of bases ${name} that could not be read: ${setAsideCount}. They are kept aside in it.`
}

function failure(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}
