import { expect, test } from 'vitest'
import type { ConnectionProfile } from '../../../../../core/model'
import {
  fieldOf,
  fieldsOf,
  isToSignIn,
  profileFrom,
  secretHint,
  serviceOf,
  typedFrom,
} from '../../../../../renderer/views/settings/profile-fields'

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

test('a connection without a name takes that of its host', () => {
  expect(profileFrom({ ...typedFrom(good), name: ' ', webSocketUrl: 'wss://feed.example/ws/v4' }, 'p', true).name).toBe(
    'feed.example',
  )
  expect(profileFrom({ ...typedFrom(good), name: '', webSocketUrl: 'feed' }, 'p', true).name).toBe('')
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

test('a service fills in its addresses and name, and keeps a name that the user typed', () => {
  const chosen = fieldsOf('nasdaq', { name: 'CF Benchmarks' }, undefined)
  expect(chosen).toMatchObject({ name: 'CF Benchmarks Nasdaq', restUrl: 'https://nciprod1.cfbenchmarks.com' })
  expect(serviceOf(chosen)).toBe('nasdaq')
  expect(serviceOf({ ...chosen, restUrl: '' })).toBe('custom')
  expect(fieldsOf('cfBenchmarks', { name: 'Desk' }, undefined).name).toBe('Desk')
  expect(fieldsOf('custom', { name: 'CF Benchmarks' }, undefined)).toEqual({ name: '', webSocketUrl: '', restUrl: '' })
})

test('choosing custom addresses again brings back those of the stored connection', () => {
  const { webSocketUrl, restUrl } = good
  expect(fieldsOf('custom', { name: 'Desk' }, good)).toEqual({ name: 'Desk', webSocketUrl, restUrl })
})

test('a sign-in is needed before saving a changed key or address, but not a changed name', () => {
  expect(isToSignIn(good, '')).toBe(true)
  expect(isToSignIn(good, 'secret', good)).toBe(true)
  expect(isToSignIn({ ...good, keyId: 'other' }, '', good)).toBe(true)
  expect(isToSignIn({ ...good, name: 'Other' }, '', good)).toBe(false)
})
