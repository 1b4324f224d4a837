import { describe, expect, test } from 'vitest'
import { inputSchemaOf, outputSchemas } from '../../../../main/access/tool-schemas'
import { tools } from '../../../../main/access/tools'

type Schema = Record<string, unknown>

const names = Object.keys(tools) as (keyof typeof tools)[]
const inputs = names.map((name) => [name, inputSchemaOf(tools[name].schema) as Schema] as const)
const all = [...inputs, ...names.map((name) => [`${name} answer`, outputSchemas[name] as Schema] as const)]

/** The schema and every schema in it. */
function schemasIn(value: unknown): Schema[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn)
  if (typeof value !== 'object' || value === null) return []
  return [value as Schema, ...Object.values(value).flatMap(schemasIn)]
}

describe('a schema that assistants read', () => {
  test.each(all)('%s is an object without a composition at its root', (_name, schema) => {
    expect(schema['type']).toBe('object')
    for (const composition of ['oneOf', 'anyOf', 'allOf', 'not', '$ref']) expect(schema).not.toHaveProperty(composition)
  })

  test.each(all)('%s has no const, and a type beside each enumeration of texts', (_name, schema) => {
    for (const each of schemasIn(schema)) {
      expect(each).not.toHaveProperty('const')
      if ('enum' in each)
        expect([each['type'], (each['enum'] as unknown[]).every((one) => typeof one === 'string')]).toEqual([
          'string',
          true,
        ])
    }
  })

  test.each(all)('%s has no type that may be null and no list of types', (_name, schema) => {
    for (const { type } of schemasIn(schema)) expect(type === 'null' || Array.isArray(type)).toBe(false)
  })

  test('arguments are described in 2020-12', () => {
    for (const [, schema] of inputs) expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema')
  })
})
