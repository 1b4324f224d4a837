import { expect, test } from 'vitest'
import { connectionCommands } from '../../../../main/features/connections'
import { NewHosts } from '../../../../main/features/new-hosts'
import { settingsCommands } from '../../../../main/features/settings'
import { firstSettings } from '../../../../main/storage/settings'
import type { ConnectionProfile } from '../../../../core/model'
import { knownServices } from '../../../../core/services'
import type { Preferences } from '../../../../core/preferences'
import { ScriptedDialogs } from '../../../support/scripted-dialogs'

const profile: ConnectionProfile = {
  id: 'mine',
  auth: 'basic',
  isEnabled: true,
  name: 'Mine',
  webSocketUrl: 'wss://feed.example/ws/v4',
  keyId: 'key',
}

function start(
  profiles: ConnectionProfile[] = [],
  webhooks: string[] = [],
  trustsLoopback = false,
  preferences: Partial<Preferences> = {},
) {
  const dialogs = new ScriptedDialogs()
  const settings = { get: () => ({ ...firstSettings(), profiles, ...preferences }) }
  return { dialogs, newHosts: new NewHosts({ settings, webhooks: () => webhooks, dialogs, trustsLoopback }) }
}

test('asks about a host by name and port, once per run if it is allowed', async () => {
  const { dialogs, newHosts } = start()
  const urls = ['wss://Feed.example/ws/v4', 'https://feed.example/api', 'http://127.0.0.1:8080/mcp', undefined]
  expect(await newHosts.refusal(urls)).toBeUndefined()
  expect(await newHosts.refusal(urls)).toBeUndefined()
  expect(dialogs.askedHosts).toEqual(['feed.example', '127.0.0.1:8080'])
  await newHosts.refusal(['http://127.0.0.1:8081/'])
  expect(dialogs.askedHosts.at(-1)).toBe('127.0.0.1:8081')
})

test('hosts of saved connections and webhooks are known', async () => {
  const { dialogs, newHosts } = start([profile], ['https://hooks.example/a'])
  expect(await newHosts.refusal(['https://feed.example', 'https://hooks.example/b'])).toBeUndefined()
  expect(dialogs.askedHosts).toEqual([])
})

test('the hosts of known services are contacted without a question', async () => {
  const { dialogs, newHosts } = start()
  const { webSocketUrl, restUrl } = knownServices.nasdaq
  expect(await newHosts.refusal([webSocketUrl, restUrl])).toBeUndefined()
  expect(dialogs.askedHosts).toEqual([])
})

test('a developer is asked about every host except this machine', async () => {
  const { dialogs, newHosts } = start([], [], true)
  expect(await newHosts.refusal(['ws://127.0.0.1:4000/ws', 'http://localhost', 'http://[::1]:1'])).toBeUndefined()
  expect(dialogs.askedHosts).toEqual([])
  await newHosts.refusal(['https://localhost.example', 'https://127.0.0.1.example'])
  expect(dialogs.askedHosts).toEqual(['localhost.example', '127.0.0.1.example'])
})

test('a refused host is asked about again, and no further host is', async () => {
  const { dialogs, newHosts } = start()
  dialogs.isHostAllowed = false
  const urls = ['https://a.example', 'https://b.example']
  for (let times = 0; times < 2; times++) {
    expect(await newHosts.refusal(urls)).toMatchObject({ ok: false, problem: { code: 'notConfirmed' } })
  }
  expect(dialogs.askedHosts).toEqual(['a.example', 'a.example'])
})

test('an open question refuses another one', async () => {
  const { dialogs, newHosts } = start()
  const both = await Promise.all([newHosts.refusal(['https://a.example']), newHosts.refusal(['https://b.example'])])
  expect(both).toMatchObject([undefined, { problem: { code: 'notConfirmed' } }])
  expect(dialogs.askedHosts).toEqual(['a.example'])
})

test('a connection to a refused host is neither tested nor saved', async () => {
  const { dialogs, newHosts } = start()
  const used: string[] = []
  const profiles = {
    save: () => used.push('save'),
    test: () => used.push('test'),
  }
  const handlers = connectionCommands(
    { newHosts } as unknown as Parameters<typeof connectionCommands>[0],
    { profiles } as unknown as Parameters<typeof connectionCommands>[1],
  )
  dialogs.isHostAllowed = false
  for (const ask of [handlers.testConnection, handlers.saveProfile]) {
    expect(await ask({ profile, keySecret: 's' })).toMatchObject({ problem: { code: 'notConfirmed' } })
  }
  expect(used).toEqual([])
  dialogs.isHostAllowed = true
  await handlers.testConnection({ profile, keySecret: 's' })
  await handlers.saveProfile({ profile, keySecret: 's' })
  expect(used).toEqual(['test', 'save'])
})

test.each(['proxyServer', 'proxyScript', 'secondWebhook', 'heartbeatWebhook'] as const)(
  'a %s with a refused host is not saved, and a saved one is known',
  async (name) => {
    const saved: unknown[] = []
    const url = 'http://127.0.0.1:8080/a'
    const { dialogs, newHosts } = start()
    const settings = { get: firstSettings, set: (preferences: unknown) => saved.push(preferences) }
    const { setPreferences } = settingsCommands(
      { newHosts, settings } as unknown as Parameters<typeof settingsCommands>[0],
      {
        isPaused: true,
        reconnect: () => undefined,
      },
    )
    dialogs.isHostAllowed = false
    expect(await setPreferences({ [name]: url })).toMatchObject({ problem: { code: 'notConfirmed' } })
    expect(saved).toEqual([])
    dialogs.isHostAllowed = true
    await setPreferences({ [name]: url })
    expect(saved).toEqual([{ [name]: url }])
    const next = start([], [], false, { [name]: url })
    expect(await next.newHosts.refusal([url])).toBeUndefined()
    expect(next.dialogs.askedHosts).toEqual([])
  },
)
