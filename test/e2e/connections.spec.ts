import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { basicAuthorization } from '../../main/base/http'
import { fromJson } from '../../protocol/json'
import { expect, test } from '../support/app-test'
import { hostsFromNowOn } from '../support/reached-hosts'
import { levelDraft } from '../support/sample-alerts'
import { successBody } from '../support/scripted-service'
import { formsIn, secretForms } from '../support/secret-scan'
import { selfSignedCertificate } from '../support/self-signed'
import { TunnelProxy } from '../support/tunnel-proxy'

const inUse = { auth: 'basic', isEnabled: true } as const
const nasdaqSecret = 'nasdaq-canary-8e21'

test('two connections are live at once, one that stops takes only its own rows along, and a page reaches no new host without the user', async ({
  bench,
  simulator,
  service: nasdaq,
}) => {
  nasdaq.routes.set('indices', {
    body: successBody([{ id: 'NCI', name: 'Nasdaq Crypto Index', decimals: 2, maxResolution: 'PER_SECOND' }]),
  })
  // Loopback stands for the world: everything goes straight until a proxy is set.
  const running = await bench.launch(['--proxy-bypass-list=<-loopback>'])
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

  await test.step('through a proxy that asks for a name and a password: values, REST, tools and a webhook, and nothing beside it', async () => {
    const hook = createServer(selfSignedCertificate())
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
    const { port: hookPort } = hook.address() as AddressInfo
    const password = 'proxy-canary-77b0'
    const authorization = basicAuthorization('office', password)
    const proxy = await TunnelProxy.start({ authorization })
    const hosts = await hostsFromNowOn(running)
    await watch.ask('removeProfile', { profileId: 'nasdaq' })
    await watch.page.evaluate(() => (location.hash = '#settings/network'))
    const section = watch.page.getByRole('region', { name: 'Network' })
    await section.getByRole('radio', { name: 'Fixed' }).check()
    await section.getByLabel('Address of the proxy').fill(proxy.host)
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(watch.page.getByText(`The proxy ${proxy.host} asks for a name and a password`).first()).toBeVisible()
    const refusedCount = proxy.targets.length
    await section.getByLabel('User at the proxy').fill('office')
    await section.getByLabel('Password for the proxy').fill(password)
    await section.getByRole('button', { name: 'Use name and password' }).click()
    await watch.expectState('Live')

    const { restUrl, mcpUrl } = simulator
    const profile = { ...second, restUrl, mcpUrl }
    expect(await watch.ask('saveProfile', { profile, keySecret: simulator.keySecret })).toMatchObject({ ok: true })
    expect(await watch.ask('testConnection', { profile, keySecret: simulator.keySecret })).toMatchObject({ ok: true })
    const draft = { ...levelDraft('1'), webhookUrl: `https://127.0.0.1:${hookPort}/hook` }
    const reached = once(hook, 'tlsClientError')
    expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'fire' })).toMatchObject({ ok: true })
    await reached
    await watch.expectState('Live')
    const targets = [simulator.wsUrl, restUrl, mcpUrl, draft.webhookUrl].map((url) => new URL(url).host)
    expect(new Set(proxy.targets.slice(refusedCount))).toEqual(new Set(targets))
    expect([...new Set(await hosts())]).toEqual([proxy.host])

    const read = await watch.ask('getDiagnostics', {})
    const snapshot = await watch.snapshot()
    const text = Buffer.from(JSON.stringify([read, snapshot]) + running.output())
    expect(formsIn(text, secretForms('office', password))).toEqual([])
    proxy.stop()
    hook.close()
  })
})
