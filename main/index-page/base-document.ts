import * as v from 'valibot'
import { isDecimalText } from '../../protocol/decimal'
import { indexIdPattern } from '../../protocol/shapes'
import type { ConstituentsPublication, IndexId } from '../../protocol/model'

const version = 1

/** What the user set changes to be counted from, for one index. */
export interface ConstituentsBase {
  indexId: IndexId
  setAtMs: number
  /** As published, without the exchanges: nothing is counted from those. */
  constituents: ConstituentsPublication
}

const decimal = v.pipe(v.string(), v.check(isDecimalText))
const timeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const constituentsSchema: v.GenericSchema<unknown, ConstituentsPublication> = v.object({
  value: decimal,
  publishedAtMs: timeMs,
  divisor: v.exactOptional(decimal),
  constituents: v.array(
    v.object({ constituent: v.pipe(v.string(), v.minLength(1)), value: decimal, weightPercent: decimal }),
  ),
})

const baseSchema: v.GenericSchema<unknown, ConstituentsBase> = v.object({
  indexId: v.pipe(v.string(), v.regex(indexIdPattern)),
  setAtMs: timeMs,
  constituents: constituentsSchema,
})

const versionSchema = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)) })
const documentSchema = v.object({ bases: v.array(v.unknown()), setAside: v.exactOptional(v.array(v.unknown()), []) })

/** `setAside` are entries that could not be read, carried along; `setAsideCount` says how many this reading found. */
export type BasesRead =
  | { kind: 'ok'; bases: ConstituentsBase[]; setAside: readonly unknown[]; setAsideCount: number }
  | { kind: 'newer' }
  | { kind: 'invalid' }

/** Reads the file of bases, oldest first. Of two for one index the later holds. */
export function readBases(value: unknown): BasesRead {
  const written = v.safeParse(versionSchema, value)
  if (!written.success) return { kind: 'invalid' }
  if (written.output.version > version) return { kind: 'newer' }
  const document = v.safeParse(documentSchema, value)
  if (!document.success) return { kind: 'invalid' }
  const bases = new Map<IndexId, ConstituentsBase>()
  const bad: unknown[] = []
  for (const entry of document.output.bases) {
    const read = v.safeParse(baseSchema, entry)
    if (!read.success) bad.push(entry)
    else {
      bases.delete(read.output.indexId)
      bases.set(read.output.indexId, read.output)
    }
  }
  const setAside = [...document.output.setAside, ...bad]
  return { kind: 'ok', bases: [...bases.values()], setAside, setAsideCount: bad.length }
}

/** Whether a file of bases is worth keeping in its place. */
export function isBasesDocument(value: unknown): boolean {
  return readBases(value).kind !== 'invalid'
}

export function toBasesDocument(bases: readonly ConstituentsBase[], setAside: readonly unknown[]): unknown {
  return { version, bases, ...(setAside.length > 0 && { setAside }) }
}
