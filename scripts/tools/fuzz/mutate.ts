/** Values to insert: ends of ranges, names with a meaning in JavaScript, and words of the formats. */
const oddLeaves: readonly unknown[] = [
  ...[null, true, false, 0, -1, Infinity, -0, 1e-9, 2 ** 53, 1_700_000_000_000, 4_102_444_800_000, [], {}],
  ...[
    '',
    '0',
    '-0.0',
    '1e9',
    '1E400',
    'NaN',
    '1'.repeat(400),
    '٣',
    '\ud800',
    '\u202e',
    '\0',
    '__proto__',
    'constructor',
  ],
  ...['BRTI', 'value', 'constituents', 'once', 'everyCrossing', 'percent', 'UTC', 'Europe/London', '10:00', 'mon'],
]
const oddNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'id', 'value', 'time', 'type']
const oddPieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\\u0000',
  '1e9',
  '-',
  '.',
  'null',
  '{"a":',
  '[['.repeat(20),
]

/** Mutates texts, as JSON if they are valid JSON and otherwise by characters. `random` returns numbers in [0, 1). */
export class Mutator {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  /** Makes one to four changes. `other` may supply a part. */
  mutate(text: string, other: string): string {
    let changed = text
    for (let count = 1 + this.#below(4); count > 0; count--) {
      const document = this.#below(5) === 0 ? undefined : parsed(changed)
      changed =
        document === undefined
          ? this.#changeText(changed, other)
          : JSON.stringify(this.#changeTree(document.value, parsed(other)?.value))
    }
    return changed
  }

  pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  #changeText(text: string, other: string): string {
    const from = this.#below(text.length + 1)
    const length = this.#below(1 + Math.min(16, text.length - from))
    const rest = text.slice(from + length)
    switch (this.#below(5)) {
      case 0:
        return text.slice(0, from) + rest
      case 1:
        return text.slice(0, from) + this.pick(oddPieces) + rest
      case 2:
        return text.slice(0, from) + String.fromCharCode(this.#below(0x1_0000)) + rest
      case 3:
        return text.slice(0, from) + text.slice(from, from + length).repeat(1 + this.#below(8)) + rest
      default:
        return text.slice(0, from) + other.slice(this.#below(other.length + 1)).slice(0, 64) + rest
    }
  }

  /** A copy with one change somewhere in it. */
  #changeTree(value: unknown, other: unknown): unknown {
    if (typeof value !== 'object' || value === null || this.#below(6) === 0) return this.#newLeaf(value, other)
    return Array.isArray(value) ? this.#changeList(value, other) : this.#changeFields(Object.entries(value), other)
  }

  #changeList(list: readonly unknown[], other: unknown): unknown[] {
    const at = this.#below(list.length)
    const [item] = list.slice(at, at + 1)
    switch (this.#below(6)) {
      case 0:
        return list.toSpliced(at, 1)
      case 1:
        return [...list, this.#newLeaf(item, other)]
      case 2:
        return Array.from({ length: 1 + this.#below(20) }, () => item)
      default:
        return list.map((each, place) => (place === at ? this.#changeTree(each, other) : each))
    }
  }

  #changeFields(fields: readonly [string, unknown][], other: unknown): unknown {
    const at = this.#below(fields.length)
    const one = fields[at]
    const changed = (() => {
      if (one === undefined) return [...fields, [this.pick(oddNames), this.#newLeaf(undefined, other)] as const]
      switch (this.#below(6)) {
        case 0:
          return fields.toSpliced(at, 1)
        case 1:
          return [...fields, [this.pick(oddNames), this.#newLeaf(one[1], other)] as const]
        case 2:
          return fields.with(at, [this.pick(oddNames), one[1]])
        default:
          return fields.with(at, [one[0], this.#changeTree(one[1], other)])
      }
    })()
    // Assigning would set the prototype instead of a field of that name.
    return Object.fromEntries(changed)
  }

  #newLeaf(old: unknown, other: unknown): unknown {
    switch (this.#below(6)) {
      case 0:
        return partOf(other, this.#random) ?? null
      case 1:
        return typeof old === 'string' ? this.#changeText(old, old) : [old]
      case 2:
        return typeof old === 'number' ? old * this.pick([-1, 10, 0.1, 1_000]) : { a: old }
      case 3:
        return typeof old === 'number' ? String(old) : this.#below(1_000) / 10
      default:
        return this.pick(oddLeaves)
    }
  }
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** A random part of a document. */
function partOf(value: unknown, random: () => number): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.3) return value
  const parts: unknown[] = Object.values(value)
  return partOf(parts[Math.floor(random() * parts.length)], random)
}
