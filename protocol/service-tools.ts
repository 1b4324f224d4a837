/** Tools that a connected service offers (protocol, 4.3): their forms, calls and answers. */

/** The form field of an argument. Anything without a field of its own is typed as JSON. */
export type ToolFieldShape =
  | { kind: 'text' | 'time' | 'date' | 'switch' | 'texts' | 'json' }
  | { kind: 'number'; isInteger: boolean }
  | { kind: 'choice'; options: string[] }
  | { kind: 'rows'; fields: ToolField[] }

/** One argument of a tool, read from its schema. Texts are the service's, sanitized. */
export type ToolField = ToolFieldShape & {
  /** As sent. */
  name: string
  description: string
  isRequired: boolean
}

/** A tool as it describes itself. */
export interface ServiceTool {
  name: string
  description: string
  /** Undefined if the arguments do not fit a form. They are then typed as one JSON object. */
  fields?: ToolField[]
}

/** A tool and the connection that runs it. */
export interface OfferedTool extends ServiceTool {
  connectionId: string
  /** Name of the connection. */
  connection: string
  isDemo: boolean
}

/** One call of a tool by the user. */
export interface ToolCall {
  id: string
  tool: string
  connectionId: string
  connection: string
  isDemo: boolean
  startedAtMs: number
  /** The arguments as JSON, to fill in the form again. Undefined if they are long. */
  argumentsJson?: string
  state: 'running' | 'answered' | 'failed' | 'cancelled'
  /** Progress as reported by the service. */
  progress?: { done: number; total?: number }
  /** Undefined while it runs. */
  durationMs?: number
  /** Why it failed, in words. */
  problem?: string
}

/** A value in an answer. Numbers that a float would change are text, exactly as sent. */
export type ToolData = string | number | boolean | null | ToolData[] | { [name: string]: ToolData }

/** The answer of a tool, sanitized. */
export interface ToolAnswer {
  /** Undefined if the answer has only texts. */
  data?: ToolData
  texts: string[]
  /** Number of pictures, sounds and links to files. They are not shown. */
  omittedCount: number
}

/** A call and what it answered. */
export interface ToolResult {
  call: ToolCall
  answer: ToolAnswer
}

/** An answer as a table, one row per record, cells exactly as sent. Undefined where a record has no value. */
export interface ToolTable {
  columns: string[]
  rows: (string | undefined)[][]
}

/** An answer by its shape: single facts, tables, and everything else. */
export interface ToolShape {
  facts: { name: string; text: string }[]
  tables: { name: string; table: ToolTable }[]
  rest: { name: string; data: ToolData }[]
}

const maxColumns = 40
/** Further tables go to `rest`. */
export const maxTables = 100

/** Reads an answer: a record is facts, a list of like records a table, and anything else a tree. */
export function shapeOf(data: ToolData): ToolShape {
  const shape: ToolShape = { facts: [], tables: [], rest: [] }
  const entries: [string, ToolData][] = isGroup(data) ? Object.entries(data) : [['', data]]
  for (const [name, value] of entries) {
    const table = tableOf(value)
    if (table !== undefined && shape.tables.length < maxTables) shape.tables.push({ name, table })
    else if (!isNested(value)) shape.facts.push({ name, text: cellText(value) })
    else if (isGroup(value) && Object.values(value).every((each) => !isNested(each))) {
      for (const [part, each] of Object.entries(value)) {
        shape.facts.push({ name: `${name} ${part}`, text: cellText(each as string) })
      }
    } else if (Array.isArray(value) && value.every((each) => !isNested(each))) {
      shape.facts.push({ name, text: value.map((each) => cellText(each as string)).join(', ') })
    } else shape.rest.push({ name, data: value })
  }
  return shape
}

function tableOf(data: ToolData): ToolTable | undefined {
  if (!Array.isArray(data) || data.length === 0) return undefined
  const columns = new Set<string>()
  for (const record of data) {
    if (!isGroup(record)) return undefined
    for (const [name, value] of Object.entries(record)) {
      if (isNested(value)) return undefined
      columns.add(name)
    }
    if (columns.size > maxColumns) return undefined
  }
  const names = [...columns]
  const rows = (data as Record<string, Exclude<ToolData, object>>[]).map((record) =>
    names.map((name) => {
      const value = record[name]
      return value === undefined || value === null ? undefined : cellText(value)
    }),
  )
  return { columns: names, rows }
}

function isGroup(data: ToolData): data is Record<string, ToolData> {
  return isNested(data) && !Array.isArray(data)
}

function isNested(data: ToolData): data is ToolData[] | Record<string, ToolData> {
  return typeof data === 'object' && data !== null
}

function cellText(value: string | number | boolean | null): string {
  if (value === null) return ''
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
