/** Faults that the benchmark must detect, and whether it does. planted.js plants each in a copy of the project. */
import { inWords, type Result } from './report'
import type { RowName } from './rows'

export interface Sin {
  readonly name: string
  /** The row that passes without the fault and must fail with it. The load of the machine does not affect it. */
  readonly row: RowName
  readonly file: string
  readonly from: string
  readonly to: string
}

export const sins: readonly Sin[] = [
  {
    name: 'compression',
    row: 'B2-turns',
    file: 'main/feed/socket.ts',
    from: 'perMessageDeflate: false',
    to: 'perMessageDeflate: true',
  },
  {
    name: 'one-send',
    row: 'B4-sends',
    file: 'main/ipc/batcher.ts',
    from: 'this.#quotes.set(quote.id, quote)\n    this.#pushes.request()',
    to: 'this.#quotes.set(quote.id, quote)\n    this.#push()',
  },
  {
    name: 'unwindowed',
    row: 'B6-rows',
    file: 'renderer/ui/row-window.ts',
    from: 'const overscan = 6',
    to: 'const overscan = 1_000_000',
  },
  {
    name: 'one-clock-read',
    row: 'B2-clock',
    file: 'main/base/clock.ts',
    from: 'if (this.#wallMs !== undefined) return this.#wallMs\n',
    to: '',
  },
  {
    name: 'rebuilt-index',
    row: 'alerts-change',
    file: 'main/alerts/rule-table.ts',
    from: 'this.#leave(ruleId)\n    this.#byId.delete(ruleId)',
    to: `this.#leave(ruleId)
    this.#byId.delete(ruleId)
    const all = [...this.#byId.values()].map(({ record }) => record)
    for (const record of all) this.put(record)`,
  },
  {
    name: 'one-commit',
    row: 'B12-append',
    file: 'main/history-store/tables.ts',
    from: 'return this.#statements.inTransaction(() => writeBatches(batches, context))',
    to: `return batches
        .flatMap(({ values = [], ...rest }): WriteBatch[] => [rest, ...values.map((value) => ({ values: [value] }))])
        .flatMap((batch) => this.#statements.inTransaction(() => writeBatches([batch], context)))`,
  },
]

/** The faults with these names. Without names: all. */
export function selectSins(names: readonly string[]): readonly Sin[] {
  const unknown = names.filter((name) => !sins.some((sin) => sin.name === name))
  if (unknown.length > 0) {
    throw new RangeError(`no such sin: ${unknown.join(', ')}; there are ${sins.map(({ name }) => name).join(', ')}`)
  }
  return names.length === 0 ? sins : sins.filter(({ name }) => names.includes(name))
}

/** Returns the file's text with the fault. Throws unless there is exactly one place for it. */
export function plant(text: string, { name, file, from, to }: Sin): string {
  const count = text.split(from).length - 1
  if (count !== 1) throw new Error(`${name} cannot be planted: ${file} has ${count} times, not once: ${from}`)
  return text.replace(from, () => to)
}

/** The results of a fault's row without and with the fault. A row that misses its budget anyway proves nothing. */
export function verdictOn(
  { name }: Sin,
  { without, planted }: Record<'without' | 'planted', Result>,
): { isFound: boolean; line: string } {
  if (!without.isHeld)
    return { isFound: false, line: `NOTHING PROVEN: ${name}: not held without it: ${inWords(without)}` }
  const isFound = !planted.isHeld
  return {
    isFound,
    line: `${isFound ? 'found' : 'NOT FOUND'}: ${name}: ${inWords(planted)}; without it ${inWords(without)}`,
  }
}
