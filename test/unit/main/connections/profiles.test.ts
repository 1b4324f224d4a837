import { expect, test } from 'vitest'
import { secretUse } from '../../../../main/connections/connection-config'
import { Profiles } from '../../../../main/connections/profiles'
import { SecretKeeper } from '../../../../main/storage/secret-keeper'
import { SettingsStore } from '../../../../main/storage/settings'
import type { ConnectionProfile } from '../../../../protocol/model'
import { FakeClock } from '../../../support/fake-clock'
import { memoryEncryption } from '../../../support/memory-encryption'
import { MemoryJsonFile } from '../../../support/memory-json-file'

const first: ConnectionProfile = {
  id: 'mine',
  name: 'Mine',
  auth: 'basic',
  isEnabled: true,
  webSocketUrl: 'wss://service.example/ws',
  restUrl: 'https://service.example',
  keyId: 'key-1',
}

async function start(files: { settings: MemoryJsonFile; secrets: MemoryJsonFile }) {
  const clock = new FakeClock()
  const onError = (error: unknown): never => {
    throw error
  }
  const settings = new SettingsStore({ backend: files.settings, clock, onError })
  const secrets = new SecretKeeper({
    file: files.secrets,
    encryption: memoryEncryption,
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

/** What the next start finds of the profile and its key. */
async function restarted(files: { settings: MemoryJsonFile; secrets: MemoryJsonFile }) {
  const { settings, secrets } = await start({ settings: files.settings.reopened(), secrets: files.secrets.reopened() })
  const [profile] = settings.get().profiles
  return profile && [profile.keyId, await secrets.load(profile.id, secretUse(profile))]
}

test('keys changed while the settings cannot be saved take nothing from the one that is saved', async () => {
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

test('a key that was saved leaves nothing of the one before', async () => {
  const files = { settings: new MemoryJsonFile(), secrets: new MemoryJsonFile() }
  const { profiles } = await start(files)
  await profiles.save(first, 'secret-1')
  await profiles.save({ ...first, keyId: 'key-2' }, 'secret-2')
  expect(JSON.stringify(files.secrets.written.at(-1))).not.toContain('key-1')
  expect(await restarted(files)).toEqual(['key-2', 'secret-2'])
})
