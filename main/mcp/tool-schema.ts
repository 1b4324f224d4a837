import { z } from 'zod'
import type { ToolField, ToolFieldShape } from '../../protocol/service-tools'
import { isRecord } from '../base/sanitize'

type Schema = Record<string, unknown>
type Clean = (text: string, maxLength?: number) => string

const maxDepth = 8
const maxNodes = 1_000
const maxFields = 40
const maxOptions = 200
const maxNameLength = 64
const maxFieldDescriptionLength = 300

/** Copied unchanged. `pattern` is left out, because matching an untrusted one may never end. */
const plainKeywords = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'] as const
const exclusiveKeywords = ['exclusiveMinimum', 'exclusiveMaximum'] as const
const formats: readonly unknown[] = ['date', 'date-time']
const types: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

/** A tool's input: the fields of its form, and a check of its arguments. */
export interface ToolInput {
  /** Undefined if no form can be made. */
  fields: ToolField[] | undefined
  /**
   * The first fault of the arguments, as part of a sentence. Undefined if none is found. The service checks them too.
   */
  faultOf: (args: Record<string, unknown>) => string | undefined
}

/**
 * Reads the input schema of a tool. The schema is untrusted. References are followed to a limited depth and all nodes
 * are counted. Anything beyond a limit, or unknown, is treated as "any value". The schema is never compiled to code.
 */
export function readToolSchema(raw: unknown, clean: Clean): ToolInput {
  const schema = smallCopy(raw, clean)
  const checker = schema === undefined ? undefined : checkerOf(schema)
  return {
    fields: schema === undefined ? undefined : fieldsOf(schema, true),
    faultOf: (args) => {
      const checked = checker && z.safeParse(checker, args, { jitless: true })
      const [issue] = checked?.error?.issues ?? []
      if (issue === undefined) return undefined
      const place = issue.path.map((part) => (typeof part === 'number' ? `row ${part + 1}` : String(part))).join(', ')
      return clean(place === '' ? issue.message : `${place}: ${issue.message}`)
    },
  }
}

function checkerOf(schema: Schema): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema)
  } catch {
    // The service checks its arguments itself.
    return undefined
  }
}

/** A small copy of a schema. Undefined if it does not describe an object or is too large. */
function smallCopy(root: unknown, clean: Clean): Schema | undefined {
  let nodeCount = 0

  function copy(raw: unknown, depth: number): Schema {
    const schema = withoutNull(resolved(raw))
    if (schema === undefined || depth > maxDepth || ++nodeCount > maxNodes) return {}
    const copied: Schema = {}
    const { type, description, properties, items, required, format } = schema
    if (types.includes(type)) copied['type'] = type
    if (typeof description === 'string') copied['description'] = clean(description, maxFieldDescriptionLength)
    const options = choices(schema)
    if (options !== undefined) copied['enum'] = options
    for (const keyword of [...plainKeywords, ...exclusiveKeywords]) {
      if (typeof schema[keyword] === 'number') copied[keyword] = schema[keyword]
    }
    if (type === 'string' && formats.includes(format)) copied['format'] = format
    if (isRecord(items)) copied['items'] = copy(items, depth + 1)
    if (isRecord(properties)) {
      const kept = Object.entries(properties).slice(0, maxNodes)
      const names = new Set(kept.map(([name]) => name))
      copied['properties'] = Object.fromEntries(kept.map(([name, each]) => [name, copy(each, depth + 1)]))
      if (names.size < Object.keys(properties).length) nodeCount = maxNodes + 1
      if (Array.isArray(required)) copied['required'] = [...names].filter((name) => required.includes(name))
    }
    return copied
  }

  /** Follows local references to a limited depth. */
  function resolved(raw: unknown): Schema | undefined {
    let schema = raw
    for (let step = 0; step < maxDepth && isRecord(schema); step++) {
      const { $ref } = schema
      if (typeof $ref !== 'string') return schema
      if (!$ref.startsWith('#')) return undefined
      let target = root
      for (const part of $ref.slice(1).split('/').filter(Boolean).slice(0, maxDepth)) {
        const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
        target = isRecord(target) && Object.hasOwn(target, name) ? target[name] : undefined
      }
      schema = target
    }
    return undefined
  }

  /** Reads `anyOf: [X, null]` and `type: [X, null]` as X, because a nullable argument may be left out. */
  function withoutNull(schema: Schema | undefined): Schema | undefined {
    if (schema === undefined) return undefined
    const { anyOf, type } = schema
    if (Array.isArray(anyOf)) {
      const [only, ...others] = (anyOf as unknown[]).filter((each) => !isRecord(each) || each['type'] !== 'null')
      if (others.length > 0) return {}
      return {
        ...resolved(only),
        ...(schema['description'] !== undefined && { description: schema['description'] }),
      }
    }
    if (!Array.isArray(type)) return schema
    const [only, ...others] = type.filter((each) => each !== 'null') as unknown[]
    return others.length === 0 ? { ...schema, type: only } : {}
  }

  /** The choices, if all of them can be shown as they are sent. */
  function choices({ enum: options, const: only }: Schema): string[] | undefined {
    const all: unknown = options ?? (only === undefined ? undefined : [only])
    if (!Array.isArray(all) || all.length === 0 || all.length > maxOptions) return undefined
    const isFit = all.every((each) => typeof each === 'string' && each !== '' && clean(each) === each)
    return isFit ? [...new Set(all as string[])] : undefined
  }

  const schema = copy(root, 0)
  return schema['type'] === 'object' && nodeCount <= maxNodes ? schema : undefined
}

/** Undefined if there are too many fields or names that cannot be shown. Objects within rows are entered as JSON. */
function fieldsOf(schema: Schema, hasRows: boolean): ToolField[] | undefined {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
  const isFit = properties.every(([name]) => name.length <= maxNameLength && /^[\p{L}\p{N}_.$ -]+$/u.test(name))
  if (properties.length > maxFields || !isFit) return undefined
  const required = (schema['required'] ?? []) as string[]
  return properties.map(([name, each]) => ({
    name,
    description: (each['description'] as string | undefined) ?? '',
    isRequired: required.includes(name),
    ...shapeOf(each, hasRows),
  }))
}

function shapeOf(schema: Schema, hasRows: boolean): ToolFieldShape {
  const { type, format, items } = schema
  if (schema['enum'] !== undefined) return { kind: 'choice', options: schema['enum'] as string[] }
  if (type === 'string') return { kind: format === 'date-time' ? 'time' : format === 'date' ? 'date' : 'text' }
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'number' || type === 'integer') return { kind: 'number', isInteger: type === 'integer' }
  if (type === 'array' && isRecord(items)) {
    if (items['type'] === 'string') return { kind: 'texts' }
    const fields = hasRows && items['type'] === 'object' ? fieldsOf(items, false) : undefined
    if (fields !== undefined && fields.length > 0) return { kind: 'rows', fields }
  }
  return { kind: 'json' }
}
