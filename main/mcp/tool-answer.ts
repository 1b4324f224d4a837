import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { ToolAnswer, ToolData } from '../../protocol/service-tools'
import { isNestedTooDeep, isRecord } from '../base/sanitize'

type Clean = (text: string) => string

const maxNodes = 200_000
const maxDepth = 16
const maxTexts = 1_000

/** Reads a tool's answer. Undefined if it is too large to show. `clean` sanitizes one line. */
export function readToolAnswer({ content, structuredContent }: CallToolResult, clean: Clean): ToolAnswer | undefined {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const files = content.flatMap((block) =>
    block.type === 'resource' && 'text' in block.resource ? [block.resource.text] : [],
  )
  if (texts.length + files.length > maxTexts) return undefined
  const omittedCount = content.length - texts.length - files.length
  const [only] = texts
  // If the answer has both, the text is preferred, because its numbers are not rounded.
  const read = texts.length === 1 && only !== undefined ? exactJson(only) : undefined
  const data = read ?? structuredContent
  const shown = [...(read === undefined ? texts : []), ...files].map((text) => cleanLines(text, clean))
  if (data === undefined) return { texts: shown, omittedCount }
  const cleaned = new Cleaner(clean).read(data, 0)
  return cleaned === undefined ? undefined : { data: cleaned, texts: shown, omittedCount }
}

/** A text with each line sanitized. */
function cleanLines(text: string, clean: Clean): string {
  return text.split(/\r?\n/).map(clean).join('\n').trim()
}

/** Parses JSON of an object or list. A number that a float would change is returned as text. */
function exactJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || isNestedTooDeep(text)) return undefined
  const reviver = (_name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? context.source
      : value
  try {
    return JSON.parse(text, reviver) as unknown
  } catch {
    return undefined
  }
}

/** Copies an answer with all texts sanitized. */
class Cleaner {
  readonly #clean: Clean
  #nodeCount = 0

  constructor(clean: Clean) {
    this.#clean = clean
  }

  /** Undefined if the answer is too large. */
  read(value: unknown, depth: number): ToolData | undefined {
    if (++this.#nodeCount > maxNodes || depth > maxDepth) return undefined
    if (typeof value === 'string') return cleanLines(value, this.#clean)
    if (Array.isArray(value)) {
      const items: ToolData[] = []
      for (const each of value) {
        const item = this.read(each, depth + 1)
        if (item === undefined) return undefined
        items.push(item)
      }
      return items
    }
    if (!isRecord(value)) return value as number | boolean | null
    const entries: [string, ToolData][] = []
    for (const [name, each] of Object.entries(value)) {
      const item = this.read(each, depth + 1)
      if (item === undefined) return undefined
      entries.push([this.#clean(name), item])
    }
    return Object.fromEntries(entries)
  }
}
