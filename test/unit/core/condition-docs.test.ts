/** The documentation of conditions. `npx vitest run test/unit/core/condition-docs.test.ts -u` writes it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { canFireAtStart } from '../../../core/alert-checks'
import type { FieldSpec } from '../../../core/conditions/fields'
import { alertConditions, fieldsOf, specOf, type AlertCondition } from '../../../core/conditions/list'
import { roughSpanText } from '../../../core/spans'

const docs = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference')
const read = (name: string) => readFileSync(join(docs, name), 'utf8')

test('the schema of the alert file has the fields of each condition', async () => {
  const file = 'alert-rules.schema.json'
  const schema = JSON.parse(read(file)) as {
    $defs: { terms: { oneOf: unknown[] }; rule: { properties: { holdMs: { description: string } } } }
  }
  schema.$defs.terms.oneOf = grouped((condition) => JSON.stringify(presences(condition))).map(schemaOf)
  const momentary = alertConditions.filter((condition) => !specOf(condition).canHold).join(', ')
  schema.$defs.rule.properties.holdMs.description = `The condition must hold this long by publish time. Not with: ${momentary}.`
  const text = await format(JSON.stringify(schema, null, 2), { parser: 'json', printWidth: 120 })
  await expect(text).toMatchFileSnapshot(join(docs, file))
})

test('the description of the alert file has a table of the conditions', async () => {
  const file = 'alert-file.md'
  const rows = grouped((condition) => JSON.stringify([presences(condition), refused(condition)])).map((names) => {
    const [first = 'risesTo'] = names
    return [names.map(code).join(' '), besideIt(first).join(', '), refused(first).map(code).join(', ')]
  })
  const table = [['`condition`', 'Beside it', 'Refused with it'], ...rows]
  const widths = [0, 1, 2].map((at) => Math.max(...table.map((row) => row[at]?.length ?? 0)))
  const [head = '', ...lines] = table.map((row) => line(row.map((cell, at) => cell.padEnd(widths[at] ?? 0))))
  const text = [head, line(widths.map((width) => '-'.repeat(width))), ...lines, ''].join('\n')
  await expect(read(file).replace(/^\| `condition`[^]*?\n(?=\n)/m, text)).toMatchFileSnapshot(join(docs, file))
})

const code = (name: string) => `\`${name}\``
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Groups conditions with the same description. */
function grouped(keyOf: (condition: AlertCondition) => string): AlertCondition[][] {
  const groups = new Map<string, AlertCondition[]>()
  for (const condition of alertConditions) {
    groups.set(keyOf(condition), [...(groups.get(keyOf(condition)) ?? []), condition])
  }
  return [...groups.values()]
}

function presences(condition: AlertCondition) {
  return fieldsOf(condition).map(({ name, isOptional }) => [name, isOptional])
}

function refused(condition: AlertCondition): string[] {
  const { canHold, canBeTrueAtStart } = specOf(condition)
  return [
    ...(canHold ? [] : ['holdMs']),
    ...(canHold && canBeTrueAtStart ? [] : ['whileTrue']),
    ...(canFireAtStart(condition) ? [] : ['alsoIfTrue']),
  ]
}

/** The fields of a condition, optional ones last. */
function besideIt(condition: AlertCondition): string[] {
  return fieldsOf(condition)
    .sort((a, b) => Number(a.isOptional) - Number(b.isOptional))
    .map(fieldWords)
}

function fieldWords({ name, spec, isOptional }: { name: string; spec: FieldSpec; isOptional: boolean }): string {
  const absent = isOptional && 'absent' in spec ? ` (without it: ${spec.absent})` : ''
  return `${isOptional ? 'optional ' : ''}${code(name)}${rangeOf(spec)}${absent}`
}

function rangeOf(spec: FieldSpec): string {
  switch (spec.kind) {
    case 'number': {
      const { from, above, to } = spec.range
      const low = from === undefined ? `above ${above ?? ''}` : to === undefined ? `${from} or more` : `from ${from}`
      return ` ${low}${to === undefined ? '' : ` to ${to}`}`
    }
    case 'span':
      return ` from ${roughSpanText(spec.minMs)} to ${roughSpanText(spec.maxMs)}`
    case 'choice':
      return ` (${Object.keys(spec.options).map(code).join(', ')})`
    default:
      return ''
  }
}

function schemaOf(names: readonly AlertCondition[]): object {
  const [first = 'risesTo'] = names
  const fields = fieldsOf(first)
  return {
    type: 'object',
    properties: {
      condition: names.length === 1 ? { const: first } : { enum: names },
      ...Object.fromEntries(fields.map(({ name, spec, isOptional }) => [name, fieldOfSchema(spec, isOptional)])),
    },
    required: ['condition', ...fields.flatMap(({ name, isOptional }) => (isOptional ? [] : [name]))],
    additionalProperties: false,
  }
}

function fieldOfSchema(spec: FieldSpec, isOptional: boolean): object {
  const absent = isOptional && 'absent' in spec ? { description: `Absent: ${spec.absent}.` } : {}
  switch (spec.kind) {
    case 'level':
    case 'number':
      return { $ref: '#/$defs/decimal' }
    case 'span':
      return { type: 'integer', minimum: spec.minMs, maximum: spec.maxMs, ...absent }
    case 'choice':
      return { enum: Object.keys(spec.options) }
    case 'name':
      return { $ref: '#/$defs/name', ...absent }
    case 'rearmBand':
      return { $ref: '#/$defs/rearmBand' }
  }
}
