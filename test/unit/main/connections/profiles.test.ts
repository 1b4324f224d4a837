import { describe, expect, test } from 'vitest'
import { secretUse } from '../../../../main/connections/connection-config'
import { Profiles } from '../../../../main/connections/profiles'
import { SecretKeeper } from '../../../../main/storage/secret-keeper'
import { SettingsStore } from '../../../../main/storage/settings'
import type { ConnectionProfile } from '../../../../core/model'
import { askingKeyring, turn } from '../../../support/asking-keyring'
import { FakeClock } from '../../../support/fake-clock'
import { memoryEncryption } from '../../../support/memory-encryption'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { onError } from '../../../support/on-error'

const first: ConnectionProfile = {
  id: 'mine',
  name: 'Mine',
  auth: 'basic',
  isEnabled: true,
  webSocketUrl: 'wss://service.example/ws',
  restUrl: 'https://service.example',
  keyId: 'key-1',
}

async function start(files: { settings: MemoryJsonFile; secrets: MemoryJsonFile }, encryption = memoryEncryption) {
  const clock = new FakeClock()
  const settings = new SettingsStore({ backend: files.settings, clock, onError })
  const secrets = new SecretKeeper({
    file: files.secrets,
    encryption,
    clock,
    platform: 'linux',
    onError,
  })
  await settings.load()
  await secrets.open()
  const connections = { choose: () => Promise.resolve(), retry: () => undefined }
  const profiles = new Profiles({ settings, secrets, connections, hidden: new Set(), clock, appVersion: '0', onError })
  return { clock, settings, secrets, profiles }
}

/** The profile and its key as the next start finds them. */
async function restarted(files: { settings: MemoryJsonFile; secrets: MemoryJsonFile }) {
  const { settings, secrets } = await start({ settings: files.settings.reopened(), secrets: files.secrets.reopened() })
  const [profile] = settings.get().profiles
  return profile && [profile.keyId, await secrets.load(profile.id, secretUse(profile))]
}

test('keys changed while the settings cannot be saved do not affect the saved one', async () => {
  const files = { settings: new MemoryJsonFile(), secrets: new MemoryJsonFile() }
  const { clock, profiles } = await start(files)
  await profiles.save(first, 'secret-1')
  files.settings.problem = { code: 'diskFull', message: 'There is no room.' }
  for (const number of [2, 3]) {
    await profiles.save({ ...first, keyId: `key-${number}` }, `secret-${number}`)
    expect(await restarted(files)).toEqual(['key-1', 'secret-1'])
  }
  files.settings.problem = undefined
  clock.advance(5_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(await restarted(files)).toEqual(['key-3', 'secret-3'])
})

test('a saved key removes the former one', async () => {
  const files = { settings: new MemoryJsonFile(), secrets: new MemoryJsonFile() }
  const { profiles } = await start(files)
  await profiles.save(first, 'secret-1')
  await profiles.save({ ...first, keyId: 'key-2' }, 'secret-2')
  expect(JSON.stringify(files.secrets.written.at(-1))).not.toContain('key-1')
  expect(await restarted(files)).toEqual(['key-2', 'secret-2'])
})

describe('while the keyring asks its user', () => {
  async function startAsking() {
    const files = { settings: new MemoryJsonFile(), secrets: new MemoryJsonFile() }
    const { encryption, asked } = askingKeyring(memoryEncryption)
    const started = await start(files, encryption)
    const saving = started.profiles.save(first, 'secret-1')
    await turn()
    return { ...started, files, asked, saving }
  }

  test('only the connection being saved waits, and others can be changed', async () => {
    const { settings, profiles, asked, saving } = await startAsking()
    expect(profiles.awaitingKeyring).toEqual(['mine'])
    await settings.setProfile({ ...first, id: 'other' })
    expect(await profiles.setEnabled('other', false)).toEqual({ ok: true, value: null })
    await profiles.remove('other')
    expect(settings.get().profiles).toEqual([])
    asked[0]?.allow()
    expect(await saving).toEqual({ ok: true, value: { kept: 'keyring' } })
    expect(profiles.awaitingKeyring).toEqual([])
  })

  test.each([
    ['the user cancels', (profiles: Profiles) => profiles.stopWaiting('mine', 'cancel')],
    ['the connection is removed', (profiles: Profiles) => void profiles.remove('mine')],
  ])('nothing is saved when %s, even if the keyring answers later', async (_, stop) => {
    const { settings, secrets, profiles, files, asked, saving } = await startAsking()
    stop(profiles)
    expect(await saving).toMatchObject({ ok: false, problem: { code: 'cancelled' } })
    expect(profiles.awaitingKeyring).toEqual([])
    asked[0]?.allow()
    await turn()
    expect(settings.get().profiles).toEqual([])
    expect(secrets.kept()).toEqual({})
    expect(await restarted(files)).toBeUndefined()
  })

  test('the user may keep the key for this session, and the keyring never gets it', async () => {
    const { secrets, profiles, files, asked, saving } = await startAsking()
    profiles.stopWaiting('mine', 'session')
    expect(await saving).toEqual({ ok: true, value: { kept: 'session' } })
    asked[0]?.allow()
    await turn()
    expect(secrets.kept()).toEqual({ mine: 'session' })
    expect(await restarted(files)).toEqual(['key-1', undefined])
  })

  test('saving again replaces the earlier save', async () => {
    const { settings, profiles, asked, saving } = await startAsking()
    const again = profiles.save({ ...first, name: 'Again' }, 'secret-2')
    expect(await saving).toMatchObject({ ok: false, problem: { code: 'cancelled' } })
    await turn()
    for (const each of asked) each.allow()
    expect(await again).toEqual({ ok: true, value: { kept: 'keyring' } })
    expect(settings.get().profiles.map(({ name }) => name)).toEqual(['Again'])
  })
})
