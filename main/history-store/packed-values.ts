/**
 * Appended values by column. As objects they would live until the next commit, and keeping, collecting and posting them
 * would cost main more than everything else it does with them.
 */
import type { IndexId } from '../../core/model'
import type { StoredValue, WriteBatch } from './contract'

interface PackedValues {
  readonly ids: IndexId[]
  readonly texts: string[]
  /** Published, learned and amended time of each value. The last is 0 for a value that is not amended. */
  readonly timesMs: number[]
  /** The place of each value's kind in `kinds`. */
  readonly kindNos: number[]
  readonly kinds: Kind[]
}

/** What nearly all values of a connection have in common. */
type Kind = Pick<StoredValue, 'origin' | 'connection' | 'connectionId' | 'isRepeatOfPrevious' | 'missing'>

/** A batch as it waits and is posted. One with `packed` has nothing else. */
export interface QueuedBatch extends WriteBatch {
  packed?: PackedValues
}

/** A larger batch would be slow to shorten while the disk fails. */
const maxPacked = 1_000

/** Adds the value to the last of the batches, or to a new one. */
export function pack(batches: QueuedBatch[], value: StoredValue): void {
  let packed = batches.at(-1)?.packed
  if (packed === undefined || packed.ids.length === maxPacked) {
    packed = { ids: [], texts: [], timesMs: [], kindNos: [], kinds: [] }
    batches.push({ packed })
  }
  packed.ids.push(value.id)
  packed.texts.push(value.value)
  packed.timesMs.push(value.publishedAtMs, value.learnedAtMs, value.amendedAtMs ?? 0)
  packed.kindNos.push(kindNo(packed.kinds, value))
}

/** The batch with its values as objects. */
export function unpacked({ packed, ...batch }: QueuedBatch): WriteBatch {
  if (packed === undefined) return batch
  const { ids, texts, timesMs, kindNos, kinds } = packed
  const values = ids.map((id, at): StoredValue => {
    const [publishedAtMs = 0, learnedAtMs = 0, amendedAtMs = 0] = timesMs.slice(3 * at, 3 * at + 3)
    const {
      origin = 'stream',
      connection = '',
      connectionId,
      isRepeatOfPrevious,
      missing,
    } = kinds[kindNos[at] ?? 0] ?? {}
    return {
      id,
      value: texts[at] ?? '',
      publishedAtMs,
      learnedAtMs,
      amendedAtMs,
      origin,
      connection,
      connectionId,
      isRepeatOfPrevious,
      missing,
    }
  })
  return { values }
}

/** The number of values in the batch. */
export function valueCount({ packed, values = [] }: QueuedBatch): number {
  return packed?.ids.length ?? values.length
}

function kindNo(kinds: Kind[], value: StoredValue): number {
  const { origin, connection, connectionId, isRepeatOfPrevious, missing } = value
  for (let no = 0; no < kinds.length; no++) {
    const kind = kinds[no]
    const isSame = kind?.connectionId === connectionId && kind?.connection === connection && kind.origin === origin
    if (isSame && kind.isRepeatOfPrevious === isRepeatOfPrevious && kind.missing === missing) return no
  }
  return kinds.push({ origin, connection, connectionId, isRepeatOfPrevious, missing }) - 1
}
