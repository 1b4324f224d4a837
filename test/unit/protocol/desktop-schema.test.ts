import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { commandNames } from '../../../protocol/desktop'
import type { CommandName } from '../../../protocol/desktop'
import { argumentSchemas } from '../../../protocol/desktop-schema'

const profile = { name: 'Desk', webSocketUrl: 'wss://feed.example/ws/v4', keyId: 'key' }
const alert = { indexId: 'BRTI', condition: 'atOrAbove', level: '68500.00', whenAlreadyMet: 'wait' }

const accepted: Record<CommandName, unknown[]> = {
  getSnapshot: [{}],
  addIndex: [
    { listId: 'watchlist', indexId: 'BRTI' },
    { listId: 'watchlist', indexId: 'BRTI', position: 0, maxResolution: 'PER_200MS' },
  ],
  removeIndex: [{ listId: 'watchlist', indexId: 'UC5_RTI_TR' }],
  setResolution: [{ listId: 'watchlist', indexId: 'BRTI', maxResolution: 'PER_SECOND' }],
  setTheme: [{ theme: 'dark' }],
  createAlert: [alert, { ...alert, level: '0' }, { ...alert, level: '-1.5e-5', condition: 'atOrBelow' }],
  deleteAlert: [{ ruleId: 'r1' }],
  markInboxRead: [{}],
  reconnect: [{}],
  saveProfile: [
    { profile, keySecret: 's' },
    { profile: { ...profile, restUrl: 'https://feed.example' }, keySecret: '' },
    { profile: { ...profile, mcpUrl: 'https://feed.example/mcp' }, keySecret: '' },
    {
      profile: { ...profile, webSocketUrl: 'ws://127.0.0.1:9/ws', restUrl: 'http://localhost:9' },
      keySecret: '',
    },
  ],
  removeProfile: [{}],
  openIndex: [{ indexId: 'NCI' }],
  closeIndex: [{}],
  dismissNotice: [{ noticeId: 'n1' }],
}

const refused: Record<CommandName, unknown[]> = {
  getSnapshot: [{ extra: 1 }],
  addIndex: [
    {},
    { listId: 'watchlist', indexId: '__proto__' },
    { listId: 'watchlist', indexId: 'A B' },
    { listId: 'watchlist', indexId: 'A'.repeat(65) },
    { listId: 'watchlist', indexId: 'BRTI', position: -1 },
    { listId: 'watchlist', indexId: 'BRTI', position: 0.5 },
    { listId: 'watchlist', indexId: 'BRTI', position: Number.NaN },
    { listId: 'watchlist', indexId: 'BRTI', maxResolution: 'DAILY' },
    { listId: '', indexId: 'BRTI' },
  ],
  removeIndex: [{ listId: 'watchlist', indexId: 5 }],
  setResolution: [{ listId: 'watchlist', indexId: 'BRTI' }],
  setTheme: [{ theme: 'sepia' }],
  createAlert: [
    { ...alert, level: 68_500 },
    { ...alert, level: '68,500' },
    { ...alert, level: '' },
    { ...alert, level: 'NaN' },
    { ...alert, condition: 'crosses' },
    { ...alert, whenAlreadyMet: undefined },
  ],
  deleteAlert: [{ ruleId: '' }],
  markInboxRead: [[1]],
  reconnect: [{ now: true }],
  saveProfile: [
    { profile },
    { profile: { ...profile, webSocketUrl: 'ws://feed.example' }, keySecret: '' },
    { profile: { ...profile, webSocketUrl: 'https://feed.example' }, keySecret: '' },
    { profile: { ...profile, webSocketUrl: 'wss://id:secret@feed.example' }, keySecret: '' },
    { profile: { ...profile, restUrl: 'http://feed.example' }, keySecret: '' },
    { profile: { ...profile, restUrl: 'file:///etc/passwd' }, keySecret: '' },
    { profile: { ...profile, restUrl: undefined }, keySecret: '' },
    { profile: { ...profile, name: '   ' }, keySecret: '' },
    { profile: { ...profile, keyId: '' }, keySecret: '' },
    { profile: { ...profile, secret: 's' }, keySecret: '' },
    { profile, keySecret: 's'.repeat(1_025) },
  ],
  removeProfile: [{ all: true }],
  openIndex: [{}, { indexId: '__proto__' }, { indexId: '<b>' }],
  closeIndex: [{ indexId: 'NCI' }],
  dismissNotice: [{ noticeId: 'n'.repeat(65) }],
}

const notArguments = [undefined, null, 0, '', 'x', () => 1]

describe.each(commandNames)('the arguments of %s', (name) => {
  test.each(accepted[name])('are accepted: %j', (args) => {
    expect(v.is(argumentSchemas[name], args)).toBe(true)
  })

  test.each([...refused[name], ...notArguments])('are refused: %j', (args) => {
    expect(v.is(argumentSchemas[name], args)).toBe(false)
  })
})

test('a refusal says in plain words what is expected', () => {
  const read = v.safeParse(argumentSchemas.createAlert, { ...alert, level: '1,5' })
  expect(read.issues?.[0].message).toBe('A level is a number such as 68500.00.')
})

test('a name is kept without the spaces around it', () => {
  expect(v.parse(argumentSchemas.saveProfile, { profile: { ...profile, name: ' Desk ' }, keySecret: '' })).toEqual({
    profile,
    keySecret: '',
  })
})
