import { describe, expect, test } from 'vitest'
import { configuredConnections, secretUse } from '../../../../main/connections/connection-config'
import { SecretKeeper } from '../../../../main/storage/secret-keeper'
import type { ConnectionProfile } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { memoryEncryption } from '../../../support/memory-encryption'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { onError } from '../../../support/on-error'

const launch = { isDemo: false, isHidden: true }
const old: ConnectionProfile = {
  id: 'mine',
  name: 'Mine',
  auth: 'basic',
  isEnabled: true,
  webSocketUrl: 'wss://old.example/ws',
  restUrl: 'https://old.example',
  keyId: 'reader',
}
const moved = { ...old, webSocketUrl: 'wss://new.example/ws', restUrl: 'https://new.example' }

function keeper(file: MemoryJsonFile): SecretKeeper {
  return new SecretKeeper({ file, encryption: memoryEncryption, clock: new FakeClock(), platform: 'linux', onError })
}

async function secretSentTo(profile: ConnectionProfile, file: MemoryJsonFile): Promise<string | undefined> {
  const secrets = keeper(file)
  await secrets.open()
  await secrets.load(profile.id, secretUse(profile))
  const [config] = configuredConnections(launch, [profile], secrets)
  return config?.kind === 'service' ? config.endpoint.keySecret : undefined
}

describe('a key that moves to other servers with a new secret', () => {
  test('that was killed before its addresses were stored uses the old secret and servers', async () => {
    const file = new MemoryJsonFile()
    const secrets = keeper(file)
    await secrets.save(old.id, secretUse(old), 'secret-of-the-old')
    await secrets.save(old.id, secretUse(moved), 'secret-of-the-new', { keepsFormer: true })
    expect(await secretSentTo(moved, file.reopened())).toBe('secret-of-the-new')
    expect(await secretSentTo(old, file.reopened())).toBe('secret-of-the-old')
  })

  test('is never sent to servers it was not saved for', async () => {
    const file = new MemoryJsonFile()
    await keeper(file).save(old.id, secretUse(old), 'secret-of-the-old')
    expect(await secretSentTo({ ...old, mcpUrl: 'https://tools.example' }, file.reopened())).toBeUndefined()
    expect(await secretSentTo({ ...old, mcpUrl: 'https://old.example/mcp' }, file.reopened())).toBe('secret-of-the-old')
  })
})
