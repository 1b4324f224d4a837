import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { ConnectionProfile } from '../../../../protocol/model'
import { profileSchema } from '../../../../protocol/desktop-schema'
import { fieldOf, profileFrom, secretHint, typedFrom } from '../../../../renderer/settings/profile-fields'

const good: ConnectionProfile = {
  id: 'p',
  auth: 'basic',
  isEnabled: true,
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

test('a missing secret belongs to its field, whatever else the words name', () => {
  const message = 'The WebSocket address or the key id is another one: enter the secret again.'
  expect(fieldOf({ code: 'secretMissing', message })).toBe('keySecret')
  expect(fieldOf({ code: 'badArguments', message })).toBe('webSocketUrl')
})

test('what is typed becomes the connection again, without what was left empty', () => {
  expect(profileFrom(typedFrom(good), 'p', true)).toEqual(good)
  const withoutRest = profileFrom({ ...typedFrom(good), name: ' Desk ', restUrl: ' ' }, 'p', true)
  expect(withoutRest).not.toHaveProperty('restUrl')
  expect({ ...withoutRest, restUrl: good.restUrl }).toEqual(good)
})

test('the hint of the secret says where it is kept, and asks for it again when it would go elsewhere', () => {
  const typed = typedFrom(good)
  expect(secretHint(undefined, typed)).toContain('Never in a file')
  expect(secretHint(good, typed)).toBe('No secret is kept for k: enter it here.')
  expect(secretHint(good, { ...typed, name: 'Other' }, 'keyring')).toContain("kept in this system's keyring")
  expect(secretHint(good, typed, 'session')).toContain('for this session only')
  for (const change of [{ keyId: 'other' }, { webSocketUrl: 'wss://b.example' }, { mcpUrl: '' }]) {
    expect(secretHint(good, { ...typed, ...change }, 'keyring')).toContain('enter the secret again')
  }
})
