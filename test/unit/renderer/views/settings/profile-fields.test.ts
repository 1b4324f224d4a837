import { expect, test } from 'vitest'
import type { ConnectionProfile } from '../../../../../core/model'
import { fieldOf, profileFrom, secretHint, typedFrom } from '../../../../../renderer/views/settings/profile-fields'

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

test('a refusal is shown at the field it names', () => {
  for (const field of ['name', 'webSocketUrl', 'restUrl', 'mcpUrl', 'keyId', 'keySecret']) {
    expect(fieldOf({ code: 'badArguments', message: 'This cannot be used.', field })).toBe(field)
  }
})

test('a problem of no field is shown at no field, whatever its text mentions', () => {
  expect(fieldOf({ code: 'internal', message: 'The WebSocket address did not work.' })).toBeUndefined()
  expect(fieldOf({ code: 'badArguments', message: 'Invalid key', field: 'isEnabled' })).toBeUndefined()
})

test('a missing secret is shown at its field', () =>
  expect(fieldOf({ code: 'secretMissing', message: 'The key id is another one.' })).toBe('keySecret'))

test('typed fields give the connection back, without empty ones', () => {
  expect(profileFrom(typedFrom(good), 'p', true)).toEqual(good)
  const withoutRest = profileFrom({ ...typedFrom(good), name: ' Desk ', restUrl: ' ' }, 'p', true)
  expect(withoutRest).not.toHaveProperty('restUrl')
  expect({ ...withoutRest, restUrl: good.restUrl }).toEqual(good)
})

test('the hint says where the secret is stored, or asks for it after a change of address', () => {
  const typed = typedFrom(good)
  expect(secretHint(undefined, typed)).toContain('Never in a file')
  expect(secretHint(good, typed)).toBe('No secret is stored for k. Enter it here.')
  expect(secretHint(good, { ...typed, name: 'Other' }, 'keyring')).toContain("stored in this system's keyring")
  expect(secretHint(good, typed, 'session')).toContain('until Indexwatch quits')
  for (const change of [{ keyId: 'other' }, { webSocketUrl: 'wss://b.example' }, { mcpUrl: '' }]) {
    expect(secretHint(good, { ...typed, ...change }, 'keyring')).toContain('Enter the secret again')
  }
})
