import { fromJson } from '../../protocol/json'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { successBody } from '../support/scripted-service'
import { formsIn, secretForms } from '../support/secret-scan'

const inUse = { auth: 'basic', isEnabled: true } as const
const nasdaqSecret = 'nasdaq-canary-8e21'

test('two connections are live at once, and one that stops takes only its own rows along', async ({
  bench,
  simulator,
  service: nasdaq,
}) => {
  nasdaq.routes.set('indices', {
    body: successBody([{ id: 'NCI', name: 'Nasdaq Crypto Index', decimals: 2, maxResolution: 'PER_SECOND' }]),
  })
  const running = await bench.launch()
  const watch = await running.watch()
  const messages = await running.answerMessages('Cancel')
  await watch.expectState('Demo')
  const { webSocketUrl, restUrl } = nasdaq
  const first = { ...inUse, id: 'nasdaq', name: 'Nasdaq host', webSocketUrl, restUrl, keyId: 'nasdaq-key' }
  const second = { ...inUse, id: 'main', name: 'Main host', webSocketUrl: simulator.wsUrl, keyId: simulator.keyId }
  expect(await watch.ask('saveProfile', { profile: first, keySecret: nasdaqSecret })).toMatchObject({ ok: true })
  expect(await watch.ask('saveProfile', { profile: second, keySecret: simulator.keySecret })).toMatchObject({
    ok: true,
  })
  await watch.expectState('Live')
  await expect.poll(() => nasdaq.commands).toContainEqual({ type: 'subscribe', stream: 'value', id: 'NCI' })
  nasdaq.sendValue('NCI', '2835.55', Date.now() - 500)
  await watch.expectValue('NCI', '2835.55', '2,835.55')
  await expect(watch.value('BRTI')).toBeVisible()

  const connections = async () => {
    const read = await watch.ask('getDiagnostics', {})
    if (!read.ok) throw new Error(read.problem.message)
    return fromJson(read.value)
  }
  expect((await connections()).connections).toMatchObject([
    { id: 'nasdaq', name: 'Nasdaq host', state: 'live' },
    { id: 'main', name: 'Main host', state: 'live' },
  ])

  await nasdaq.stop()
  await watch.expectState('Reconnecting')
  const before = await watch.published('BRTI')
  await expect.poll(() => watch.published('BRTI')).not.toBe(before)
  expect(await watch.published('NCI')).toBe('2835.55')
  expect(simulator.counts).toMatchObject({ handshakes: 1, connections: 1 })

  const { connectionLog, problems, versions, ...rest } = await connections()
  expect(rest.connections.map(({ state }) => state)).toEqual(['reconnecting', 'live'])
  expect(connectionLog.map(({ connection }) => connection)).toEqual(
    expect.arrayContaining(['Nasdaq host', 'Main host']),
  )
  expect(problems.join('\n')).toContain('Connection ended')
  expect(versions.electron).not.toBe('')
  const written = Buffer.from(JSON.stringify({ connectionLog, problems, rest }) + running.output())
  for (const [keyId, secret] of [
    ['nasdaq-key', nasdaqSecret],
    [simulator.keyId, simulator.keySecret],
  ] as const) {
    expect(formsIn(written, secretForms(keyId, secret))).toEqual([])
  }

  expect(await watch.ask('setProfileEnabled', { profileId: 'nasdaq', isEnabled: false })).toMatchObject({ ok: true })
  await watch.expectState('Live')
  expect(simulator.counts).toMatchObject({ handshakes: 1, connections: 1 })

  await test.step('a page reaches no new host unless the user allows it in a dialog that names it', async () => {
    // A developer's start, which this is, trusts this machine alone.
    const webSocketUrl = 'wss://feed.example/ws'
    const keySecret = 'correct horse'
    const profile = { ...inUse, id: 'new', name: 'New', webSocketUrl, keyId: 'reader' }
    const refused = { ok: false, problem: { code: 'notConfirmed' } }
    expect(await watch.ask('testConnection', { profile, keySecret })).toMatchObject(refused)
    expect(await watch.ask('saveProfile', { profile, keySecret })).toMatchObject(refused)
    const draft = { ...levelDraft('1'), webhookUrl: 'https://hooks.example:9/hook' }
    expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'wait' })).toMatchObject(refused)
    expect(await messages()).toEqual([
      expect.stringContaining('Connect to feed.example?'),
      expect.stringContaining('Connect to feed.example?'),
      expect.stringContaining('Connect to hooks.example:9?'),
    ])
    // The control: allowed, the same is done.
    await running.answerMessages('Connect')
    expect(await watch.ask('saveProfile', { profile, keySecret })).toMatchObject({ ok: true })
    await watch.ask('removeProfile', { profileId: 'new' })
  })
})
