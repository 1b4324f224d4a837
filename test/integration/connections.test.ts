import { expect, test, vi } from 'vitest'
import { secretUse } from '../../main/connections/connection-config'
import { IndexRouter } from '../../main/connections/index-router'
import { maxProfiles } from '../../main/connections/profiles'
import { askingKeyring, turn } from '../support/asking-keyring'
import { eventually } from '../support/eventually'
import { memoryEncryption } from '../support/memory-encryption'
import { MemoryJsonFile } from '../support/memory-json-file'
import { openScripted, openConnections, openSimulator } from '../support/open-connections'
import { AlertEngine } from '../../main/alerts/engine'
import type { QuoteStore } from '../../main/quotes/quote-store'
import { FakeClock } from '../support/fake-clock'
import { MemoryHistory } from '../support/memory-history'
import { RecordedLog } from '../support/recorded-log'
import { levelDraft } from '../support/sample-alerts'
import { successBody } from '../support/scripted-service'

const nowMs = () => Date.now() - 500

/** The alert engine with a rule that fires at each crossing of 100 by NCI. */
async function openRules(history: MemoryHistory) {
  let ids = 0
  const engine = new AlertEngine({
    clock: new FakeClock(Date.now()),
    newId: () => `e${++ids}`,
    log: new RecordedLog(),
    history,
    cadenceOf: () => 'PER_SECOND',
    originOf: () => ({ isDemo: false }),
  })
  await engine.use()
  const draft = levelDraft('100', { indexId: 'NCI', condition: 'crosses' })
  await engine.create({ ...draft, repeat: { mode: 'everyCrossing' } }, 'wait', undefined)
  const follow = (store: QuoteStore) => {
    store.events.on('changed', ({ previous, next, by, isBehind }) => engine.consider(previous, next, by, isBehind))
  }
  return { engine, rules: engine, follow }
}

test('two connections are live at once, and one survives the end of the other', async () => {
  const first = await openScripted('nasdaq', ['NCI', 'ETH_SRR'])
  const second = await openSimulator('main')
  const { connections, profiles, quotes } = await openConnections(['NCI', 'BRTI', 'ETHUSD_RTI'])
  await profiles.save(first.profile, first.secret)
  await profiles.save(second.profile, second.secret)
  await eventually(() => {
    expect(connections.status).toMatchObject({ state: 'live', name: '2 connections', isDemo: false, streamCount: 3 })
    expect(first.subscribed()).toEqual(['NCI'])
    expect(quotes.store.get('BRTI')?.source).toBe('stream')
  })
  expect(connections.originOf('NCI')).toEqual({ connection: 'nasdaq', isDemo: false })
  expect(connections.originOf('BRTI')).toEqual({ connection: 'main', isDemo: false })
  const [nasdaq, main] = connections.views
  expect(nasdaq).toMatchObject({ id: 'nasdaq', state: 'live', streamCount: 1, indexCount: 2 })
  expect(main).toMatchObject({ id: 'main', state: 'live', streamCount: 2 })
  expect(connections.catalogue.filter(({ id }) => id === 'NCI')).toHaveLength(1)
  first.service.sendValue('NCI', '2835.55', nowMs())
  await eventually(() => expect(quotes.store.get('NCI')?.value).toBe('2835.55'))
  const { handshakes } = second.simulator.counts
  await first.service.stop()
  await eventually(() =>
    expect(connections.status).toMatchObject({
      state: 'reconnecting',
      problem: expect.stringContaining('nasdaq: ') as string,
    }),
  )
  const before = quotes.store.get('BRTI')
  await eventually(() => expect(quotes.store.get('BRTI')).not.toEqual(before))
  // No other host replaces the one that is down.
  expect(quotes.store.get('NCI')?.value).toBe('2835.55')
  expect(connections.views.map(({ state }) => state)).toEqual(['reconnecting', 'live'])
  expect(second.simulator.counts).toMatchObject({ handshakes, connections: 1 })
  const lines = connections.log.entries().map(({ connection, text }) => `${connection} ${text.split('.')[0] ?? ''}`)
  expect(lines).toEqual(expect.arrayContaining(['nasdaq Live', 'main Live', 'nasdaq Reconnecting']))
})

test('while paused nothing connects, not even a connection added then', async () => {
  const first = await openScripted('first', ['NCI'])
  const second = await openScripted('second', ['BRTI'])
  const { connections, profiles } = await openConnections(['NCI', 'BRTI'])
  await profiles.save(first.profile, first.secret)
  await eventually(() => expect(connections.status.state).toBe('live'))
  const pauses: boolean[] = []
  connections.events.on('statusChanged', () => pauses.push(connections.isPaused))
  connections.pause()
  expect(pauses.at(-1)).toBe(true)
  expect(connections.status).toMatchObject({
    state: 'offline',
    problem: expect.stringMatching(/^Disconnected/) as string,
  })
  await profiles.save(second.profile, second.secret)
  await eventually(() => {
    expect(first.service.connectionCount).toBe(0)
    expect(connections.views).toMatchObject([{ state: 'offline' }, { state: 'offline' }])
  })
  expect(second.service.handshakes).toEqual([])
  connections.reconnect()
  expect(pauses.at(-1)).toBe(false)
  await eventually(() => expect(connections.views).toMatchObject([{ state: 'live' }, { state: 'live' }]))
})

test('editing, adding or removing a connection does not reconnect the others', async () => {
  const kept = await openSimulator('kept')
  const edited = await openSimulator('edited')
  const { connections, profiles, secrets } = await openConnections(['BRTI', 'NCI'])
  await profiles.save(kept.profile, kept.secret)
  await profiles.save(edited.profile, edited.secret)
  await eventually(() => expect(connections.views.map(({ state }) => state)).toEqual(['live', 'live']))
  await profiles.save({ ...edited.profile, auth: 'subprotocol' }, '')
  await eventually(() => {
    expect(edited.simulator.counts).toMatchObject({ handshakes: 2, refusedHandshakes: 0, connections: 1 })
    expect(connections.status.state).toBe('live')
  })
  // A change of name does not reconnect.
  await profiles.save({ ...kept.profile, name: 'Renamed' }, '')
  expect(connections.views[0]).toMatchObject({ name: 'Renamed', state: 'live' })
  await profiles.remove('edited')
  expect(await secrets.load('edited', secretUse(edited.profile))).toBeUndefined()
  expect(await secrets.load('kept', secretUse(kept.profile))).toBe(kept.secret)
  expect(connections.status).toMatchObject({ name: 'Renamed', state: 'live' })
  expect(kept.simulator.counts).toMatchObject({ handshakes: 1, connections: 1 })
  await eventually(() => expect(edited.simulator.counts.connections).toBe(0))
})

test('at the maximum number of connections an existing one can still be changed', async () => {
  const { profiles, settings } = await openConnections(['BRTI'])
  // Disabled connections must not be contacted.
  const unused = {
    auth: 'basic',
    isEnabled: false,
    name: 'Unused',
    webSocketUrl: 'wss://a.example',
    keyId: 'k',
  } as const
  for (let at = 0; at < maxProfiles; at++)
    expect(await profiles.save({ ...unused, id: `${at}` }, 'k')).toMatchObject({ ok: true })
  const refused = await profiles.save({ ...unused, id: 'one more' }, 'k')
  expect(refused).toMatchObject({ problem: { code: 'tooManyProfiles' } })
  expect(await profiles.save({ ...unused, id: '0', name: 'Renamed' }, '')).toMatchObject({ ok: true })
  expect(settings.get().profiles).toHaveLength(maxProfiles)
})

test('reconnecting does not end a demo service that was restarted after giving up', async () => {
  const { connections, demo } = await openConnections(['BRTI'])
  await connections.choose()
  demo.giveUp()
  expect(connections.status.state).toBe('offline')
  connections.pause()
  connections.resume()
  expect(connections.status.state).toBe('connecting')
  connections.reconnect()
  expect(demo).toMatchObject({ starts: 2, ends: 1 })
})

test('the demo service is used only while no connection is enabled', async () => {
  const { simulator, profile, secret } = await openSimulator('mine')
  const { connections, profiles, demo, kinds } = await openConnections(['BRTI'])
  await connections.choose()
  expect(connections.status).toMatchObject({ name: 'Demo', isDemo: true, state: 'connecting' })
  // Before its first answer.
  expect(connections.originOf('BRTI')).toEqual({ connection: 'Demo', isDemo: true })
  expect(demo).toMatchObject({ starts: 1, ends: 0 })
  await profiles.save(profile, secret)
  expect(connections.status).toMatchObject({ name: 'mine', isDemo: false })
  expect(connections.originOf('BRTI')).toEqual({ connection: 'mine', isDemo: false })
  expect(demo).toMatchObject({ starts: 1, ends: 1 })
  await profiles.setEnabled('mine', false)
  expect(connections.status).toMatchObject({ name: 'Demo', isDemo: true })
  expect(demo.starts).toBe(2)
  expect(kinds).toEqual(['demo', 'real', 'demo'])
  expect(await profiles.setEnabled('other', false)).toMatchObject({ ok: false, problem: { code: 'unknownProfile' } })
  await eventually(() => expect(simulator.counts.connections).toBe(0))
})

test('a crossing compares two values of the same connection', async () => {
  const [first, second] = [await openScripted('one', ['NCI']), await openScripted('two', ['NCI'])]
  const history = new MemoryHistory()
  const { engine, rules, follow } = await openRules(history)
  const { connections, profiles, quotes } = await openConnections(['NCI'], history, { rules })
  follow(quotes.store)
  await profiles.save(first.profile, first.secret)
  await profiles.save(second.profile, second.secret)
  const send = async ({ service, subscribed }: typeof first, value: string) => {
    await eventually(() => {
      expect(connections.status.state).toBe('live')
      expect(subscribed()).toEqual(['NCI'])
    })
    service.sendValue('NCI', value, nowMs())
    await eventually(() => expect(quotes.store.get('NCI')).toMatchObject({ value, source: 'stream' }))
  }
  const events = async () => {
    await engine.flush()
    return engine
      .inbox()
      .toReversed()
      .map(({ kind, inputs, sources }) => `${kind} ${sources?.to ?? inputs.value ?? ''}`)
  }
  await send(first, '101')
  await profiles.setEnabled('one', false)
  await send(second, '50')
  await profiles.setEnabled('one', true)
  await profiles.setEnabled('two', false)
  await send(first, '101.7')
  expect(await events()).toEqual(['sourceChanged two', 'sourceChanged one'])
  await send(first, '99')
  expect((await events()).slice(2)).toEqual(['fired 99'])
})

test('an open page follows its index to another connection', async () => {
  // Scripted services: a simulator has so many indices that their first requests use up the request budget.
  const [first, second] = [await openScripted('one', ['NCI']), await openScripted('two', ['NCI'])]
  for (const [{ service }, name] of [
    [first, 'of one'],
    [second, 'of two'],
  ] as const)
    service.routes.set('indices/NCI/detail', {
      body: successBody({ id: 'NCI', name, decimals: 2, maxResolution: 'PER_SECOND' }),
    })
  const { connections, profiles, page } = await openConnections([])
  await profiles.save(first.profile, first.secret)
  await profiles.save(second.profile, second.secret)
  await eventually(() => expect(connections.status.state).toBe('live'))
  page.open('NCI')
  await eventually(() => expect(page.view()?.detail).toMatchObject({ name: 'of one' }))
  await profiles.remove('one')
  await eventually(() => expect(page.view()?.detail).toMatchObject({ name: 'of two' }))
})

test('a stored secret is sent only to the servers it was entered for', async () => {
  const { simulator, profile, secret } = await openSimulator('mine')
  const elsewhere = await openScripted('elsewhere', ['BRTI'])
  const { connections, profiles, settings } = await openConnections(['BRTI'])
  await profiles.save(profile, secret)
  const { webSocketUrl, restUrl = '' } = elsewhere.profile
  const missing = { ok: false, problem: { code: 'secretMissing' } }
  for (const changed of [{ webSocketUrl }, { restUrl }, { mcpUrl: restUrl }, { keyId: 'another' }]) {
    expect(await profiles.save({ ...profile, ...changed }, '')).toMatchObject(missing)
    expect(await profiles.test({ ...profile, ...changed }, '')).toMatchObject(missing)
  }
  expect(await profiles.save({ ...profile, id: 'copy' }, '')).toMatchObject(missing)
  expect(settings.get().profiles).toEqual([profile])
  expect(elsewhere.service.handshakes).toEqual([])
  expect(elsewhere.service.requests).toEqual([])
  // The control: another path on the same server, and another server together with a secret.
  const path = { ...profile, webSocketUrl: profile.webSocketUrl.replace('/ws/v4', '/ws/v5') }
  expect(await profiles.save(path, '')).toEqual({ ok: true, value: { kept: 'keyring' } })
  expect(await profiles.save({ ...profile, webSocketUrl }, secret)).toMatchObject({ ok: true })
  await eventually(() => expect(elsewhere.service.handshakes).toHaveLength(1))
  expect(connections.views).toHaveLength(1)
  expect(simulator.counts.connections).toBeLessThanOrEqual(1)
})

test('a key that does not fit a subprotocol cannot be saved as one', async () => {
  const { profile } = await openSimulator('mine')
  const { profiles, settings } = await openConnections([])
  const unfit = { ok: false, problem: { code: 'unfitKey' } }
  expect(await profiles.save({ ...profile, auth: 'subprotocol' }, 'correct horse')).toMatchObject(unfit)
  expect(await profiles.test({ ...profile, auth: 'subprotocol' }, 'correct horse')).toMatchObject(unfit)
  expect(settings.get().profiles).toEqual([])
  expect(await profiles.save(profile, 'correct horse')).toMatchObject({ ok: true })
})

test('saving a refused connection retries it', async () => {
  const { simulator, profile, secret } = await openSimulator('mine')
  const { connections, profiles } = await openConnections(['BRTI'])
  simulator.revokeKey()
  await profiles.save(profile, secret)
  await eventually(() => expect(connections.status.state).toBe('notAuthorised'))
  simulator.restoreKey()
  await profiles.save(profile, '')
  await eventually(() => expect(connections.status.state).toBe('live'))
})

test('a connection without its secret reports that by name, and the others work', async () => {
  const { profile, secret } = await openSimulator('mine')
  const { connections, profiles, settings, quotes } = await openConnections(['BRTI'])
  await settings.setProfile({ ...profile, id: 'bare', name: 'Bare' })
  await profiles.save(profile, secret)
  await eventually(() => expect(quotes.store.get('BRTI')?.source).toBe('stream'))
  expect(connections.status).toMatchObject({ state: 'notAuthorised', name: '2 connections', isDemo: false })
  expect(connections.status.problem).toMatch(/^Bare: The secret of this key is not stored/)
  expect(connections.views.map(({ state }) => state)).toEqual(['notAuthorised', 'live'])
})

test('only its own connection waits for a key in the keyring', async () => {
  const secretFile = new MemoryJsonFile()
  const first = await openSimulator('sealed')
  const second = await openSimulator('typed')
  const before = await openConnections([], undefined, { secretFile })
  await before.secrets.save('sealed', secretUse(first.profile), first.secret)

  const { encryption, asked } = askingKeyring(memoryEncryption)
  const secretFileNow = secretFile.reopened()
  const { connections, secrets, settings, kinds } = await openConnections(['BRTI'], undefined, {
    encryption,
    secretFile: secretFileNow,
  })
  await settings.setProfile(first.profile)
  await settings.setProfile(second.profile)
  void secrets.save('typed', secretUse(second.profile), second.secret)
  await connections.choose()
  expect(kinds).toEqual(['real'])
  const problem = 'Waiting for the keyring to return the key. If it asks for its password, enter it there.'
  await eventually(() => expect(connections.views).toMatchObject([{ state: 'connecting', problem }, { state: 'live' }]))
  await connections.choose()
  // Storing one secret and reading the other ask once each.
  expect(asked).toHaveLength(2)
  asked[1]?.allow()
  await eventually(() => expect(connections.views).toMatchObject([{ state: 'live' }, { state: 'live' }]))
  expect(second.simulator.counts.handshakes).toBe(1)
})

test('a retry asks again for a key that the keyring refused', async () => {
  const secretFile = new MemoryJsonFile()
  const { profile, secret } = await openSimulator('mine')
  const before = await openConnections([], undefined, { secretFile })
  await before.secrets.save('mine', secretUse(profile), secret)
  const { encryption, asked } = askingKeyring(memoryEncryption)
  const { connections, settings } = await openConnections(['BRTI'], undefined, {
    encryption,
    secretFile: secretFile.reopened(),
  })
  await settings.setProfile(profile)
  await connections.choose()
  await turn()
  asked[0]?.refuse()
  await eventually(() => expect(connections.status.state).toBe('notAuthorised'))
  expect(connections.status.problem).toContain('The keyring did not return the secret of this key.')
  connections.reconnect()
  await eventually(() => expect(asked).toHaveLength(2))
  asked[1]?.allow()
  await eventually(() => expect(connections.status.state).toBe('live'))
})

test('a key that does not fit a subprotocol stops at the connection, with a message', async () => {
  const { simulator, profile } = await openSimulator('mine')
  const { connections, secrets, settings } = await openConnections(['BRTI'])
  await settings.setProfile({ ...profile, auth: 'subprotocol' })
  await secrets.save(profile.id, secretUse(profile), 'correct horse')
  await connections.choose()
  await eventually(() => expect(connections.status.state).toBe('notAuthorised'))
  expect(connections.status.problem).toContain('cannot be sent as a WebSocket subprotocol')
  expect(simulator.counts.handshakes).toBe(0)
})

test('a test of the old addresses never gets the secret being saved for new ones', async () => {
  const old = await openSimulator('main')
  const next = await openSimulator('main')
  const { profiles } = await openConnections([])
  await profiles.save(old.profile, old.secret)
  expect(await profiles.test(old.profile, '')).toMatchObject({ ok: true })
  const saved = profiles.save(next.profile, 'secret-of-the-next-server')
  const tested = await profiles.test(old.profile, '')
  // The old secret while it is the saved one, and none afterwards.
  if (tested.ok) expect(tested.value.steps).not.toContainEqual(expect.objectContaining({ outcome: 'failed' }))
  else expect(tested.problem.code).toBe('secretMissing')
  expect(await saved).toMatchObject({ ok: true })
  expect(await profiles.test(old.profile, '')).toMatchObject({ ok: false, problem: { code: 'secretMissing' } })
})

test('held connections are known, and connect once on release', async () => {
  const first = await openScripted('first', ['NCI'])
  const { connections, profiles } = await openConnections(['NCI'])
  connections.hold()
  await profiles.save(first.profile, first.secret)
  expect(connections.views).toMatchObject([{ id: 'first', state: 'connecting', isDemo: false }])
  expect(connections.connectionOf('NCI')).toBeUndefined()
  expect(first.service.handshakes).toHaveLength(0)
  connections.release()
  connections.release()
  await eventually(() => expect(connections.status.state).toBe('live'))
  expect(first.service.handshakes).toHaveLength(1)
})

test('when many connections are saved, a catalogue changes only its own status', async () => {
  const count = maxProfiles
  const ids = ['NCI', 'BRTI']
  const all = await Promise.all(Array.from({ length: count }, (_, at) => openScripted(`p${at}`, ids)))
  const { connections, profiles } = await openConnections(ids)
  let statuses = 0
  connections.events.on('statusChanged', () => statuses++)
  const saved = await Promise.all(all.map(({ profile, secret }) => profiles.save(profile, secret)))
  expect(saved.every(({ ok }) => ok)).toBe(true)
  await eventually(() =>
    expect(connections.views.every(({ state, listedAtMs }) => state === 'live' && listedAtMs !== undefined)).toBe(true),
  )
  // Each connection changes its own status a few times: chosen, connecting, open, streams. Publishing all statuses each
  // time would exceed this.
  expect(statuses).toBeLessThan(count * 10)
})

test('the cost of a refusal does not grow with the catalogue', async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `INDEX${at}`)
  const first = await openScripted('first', ids)
  const { connections, profiles } = await openConnections(ids)
  await profiles.save(first.profile, first.secret)
  await eventually(() => {
    expect(first.subscribed()).toHaveLength(ids.length)
    expect(connections.views).toMatchObject([{ state: 'live', indexCount: ids.length }])
  })
  const asked = vi.spyOn(IndexRouter.prototype, 'ownerOf')
  for (const id of ids.slice(0, 100)) {
    first.service.send({ type: 'subscribe', stream: 'value', id, success: false, reason: 'Not for you' })
  }
  await eventually(() => expect(connections.refusal('INDEX99')).toBe('Not for you'))
  expect(connections.views).toMatchObject([{ streamCount: 200, indexCount: ids.length }])
  expect(asked.mock.calls.length).toBeLessThan(ids.length * 10)
  asked.mockRestore()
})
