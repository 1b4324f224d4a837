import * as v from 'valibot'
import { expect, test } from 'vitest'
import { profileSchema } from '../../../../protocol/desktop-schema'
import { fieldOf } from '../../../../renderer/settings/profile-fields'

const good = {
  name: 'Desk',
  webSocketUrl: 'wss://a.example/ws/v4',
  restUrl: 'https://a.example',
  mcpUrl: 'https://a.example/mcp',
  keyId: 'k',
}

function refusedField(change: Partial<typeof good>): string | undefined {
  const result = v.safeParse(profileSchema, { ...good, ...change })
  if (result.success) throw new Error('this was meant to be refused')
  return fieldOf({ code: 'badArguments', message: result.issues[0].message })
}

test("the validator's own words lead to the field", () => {
  expect(refusedField({ name: ' ' })).toBe('name')
  expect(refusedField({ webSocketUrl: 'ws://a.example' })).toBe('webSocketUrl')
  expect(refusedField({ restUrl: 'http://a.example' })).toBe('restUrl')
  expect(refusedField({ mcpUrl: 'http://a.example' })).toBe('mcpUrl')
  expect(refusedField({ keyId: '' })).toBe('keyId')
})

test('a problem about none of the fields belongs to none', () => {
  expect(fieldOf({ code: 'internal', message: 'This did not work.' })).toBeUndefined()
})
