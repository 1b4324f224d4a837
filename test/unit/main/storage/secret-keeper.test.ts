import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AtomicJsonFile } from '../../../../main/storage/atomic-file'
import { SecretKeeper, isSecretDocument } from '../../../../main/storage/secret-keeper'
import type { Encryption } from '../../../../main/storage/secret-keeper'
import type { JsonFile } from '../../../../main/base/json-file'
import { askingKeyring, turn } from '../../../support/asking-keyring'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { temporaryFolder } from '../../../support/temporary-folder'
import { onError } from '../../../support/on-error'

const keyId = 'key-1'
const secret = 'canary-7f3a'

/** A keyring in memory. It returns `v11` and the text encrypted with its own key. */
function keyring(more: Partial<Encryption> & { prefix?: string; key?: number } = {}): Encryption {
  const { prefix = 'v11', key = 0x5a, ...other } = more
  const turn = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ key))
  return {
    backend: () => 'gnome_libsecret',
    encrypt: (text) => Promise.resolve(Buffer.concat([Buffer.from(prefix), turn(Buffer.from(`ok:${text}`))])),
    decrypt: (blob) => {
      const text = turn(blob.subarray(3)).toString()
      if (!text.startsWith('ok:')) return Promise.reject(new Error('Error while decrypting the ciphertext'))
      return Promise.resolve(text.slice(3))
    },
    dispose: () => undefined,
    ...other,
  }
}

/** There is no keyring, it is locked, or the user refuses. */
function noKeyring(): Encryption {
  const fails = () => Promise.reject(new Error('There is no keyring.'))
  return keyring({ encrypt: fails, decrypt: fails })
}

function keeper(file: JsonFile, encryption = keyring(), platform: NodeJS.Platform = 'linux') {
  const notices: string[] = []
  const clock = new FakeClock()
  const secrets = new SecretKeeper({
    file,
    encryption,
    clock,
    platform,
    onError,
  })
  secrets.events.on('notice', (notice) => notices.push(notice))
  return { secrets, notices, clock }
}

describe('with a keyring', () => {
  test('the secret survives a restart, only for its own key', async () => {
    const file = new MemoryJsonFile()
    const { secrets } = keeper(file)
    expect(secrets.kept()).toEqual({})
    expect(await secrets.save('profile', keyId, secret)).toBe('keyring')
    expect(await secrets.load('profile', keyId)).toBe(secret)
    const { secrets: again, notices } = keeper(file.reopened())
    expect(again.kept()).toEqual({})
    expect(await again.load('profile', 'key-2')).toBeUndefined()
    expect(await again.load('other', keyId)).toBeUndefined()
    expect(await again.load('profile', keyId)).toBe(secret)
    expect(again.kept()).toEqual({ profile: 'keyring' })
    expect(notices).toEqual([])
  })

  test('a replaced key is kept beside the new one until it is known which is in use', async () => {
    const file = new MemoryJsonFile()
    const { secrets } = keeper(file)
    await secrets.save('profile', keyId, secret)
    await secrets.save('profile', 'key-2', 'secret-2', { keepsFormer: true })
    // Killed here: the profile may have the old key or the new one.
    const [still, already] = [file.reopened(), file.reopened()]
    expect(await keeper(still).secrets.load('profile', keyId)).toBe(secret)
    expect(await keeper(still.reopened()).secrets.load('profile', 'key-2')).toBeUndefined()
    expect(await keeper(already).secrets.load('profile', 'key-2')).toBe('secret-2')
    expect(await keeper(already.reopened()).secrets.load('profile', keyId)).toBeUndefined()

    await secrets.dropFormers('profile')
    expect(JSON.stringify(file.written.at(-1))).not.toContain(keyId)
    expect(await keeper(file.reopened()).secrets.load('profile', 'key-2')).toBe('secret-2')
  })

  test('nothing on the disk holds the secret, and nothing of it is left when it is forgotten', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'secret.json')
    const options = { path, clock: new FakeClock(), maxBytes: 65_536 }
    const { secrets } = keeper(new AtomicJsonFile(options))
    await secrets.save('profile', keyId, 'an older one')
    await secrets.save('profile', keyId, secret)
    const blob = (await keyring().encrypt(secret)).toString('base64')
    expect(readFileSync(path, 'utf8')).toContain(blob)
    expect(readFileSync(path, 'utf8')).not.toContain(secret)
    await secrets.forget('profile')
    expect(readdirSync(folder)).toEqual(['secret.json'])
    expect(readFileSync(path, 'utf8')).not.toContain(blob)
    expect(await secrets.load('profile', keyId)).toBeUndefined()
    expect(await keeper(new AtomicJsonFile(options)).secrets.load('profile', keyId)).toBeUndefined()
  })
})

describe('without a keyring', () => {
  test.each([
    ['there is none, or its user refuses to open it', noKeyring()],
    ['the blob is of the kind with the public password', keyring({ prefix: 'v10' })],
  ])('because %s, the secret lasts for the session and never reaches the disk', async (_, encryption) => {
    const file = new MemoryJsonFile()
    const { secrets, notices: said } = keeper(file, encryption)
    expect(await secrets.save('profile', keyId, secret)).toBe('session')
    expect(said).toEqual([expect.stringContaining('Unlock the keyring, restart Indexwatch and enter the secret')])
    expect(secrets.kept()).toEqual({ profile: 'session' })
    expect(await secrets.load('profile', keyId)).toBe(secret)
    expect(file.written).toEqual([{ version: 2, secrets: {} }])
    const { secrets: again, notices } = keeper(file.reopened(), encryption)
    expect(await again.load('profile', keyId)).toBeUndefined()
    expect(notices).toEqual([])
  })

  test('an older secret does not stay behind on the disk', async () => {
    const file = new MemoryJsonFile()
    await keeper(file).secrets.save('profile', keyId, 'an older one')
    await keeper(file, noKeyring()).secrets.save('profile', keyId, secret)
    expect(file.written.at(-1)).toEqual({ version: 2, secrets: {} })
  })

  test('the name of what holds the key does not matter: until it has answered it may be unknown', async () => {
    const file = new MemoryJsonFile()
    const encryption = keyring({ backend: () => 'unknown' })
    expect(await keeper(file, encryption).secrets.save('profile', keyId, secret)).toBe('keyring')
  })

  test('of Linux: elsewhere v10 is how the real keyring begins', async () => {
    const encryption = keyring({ prefix: 'v10', backend: () => 'darwin' })
    const file = new MemoryJsonFile()
    expect(await keeper(file, encryption, 'darwin').secrets.save('profile', keyId, secret)).toBe('keyring')
    expect(await keeper(file.reopened(), encryption, 'darwin').secrets.load('profile', keyId)).toBe(secret)
  })
})

describe('a saved secret that is not given back', () => {
  test.each([
    ['the keyring was replaced', keyring({ key: 0x11 })],
    ['the keyring is gone', noKeyring()],
  ])('because %s is asked for again, and stays on the disk in case the keyring returns', async (_, encryption) => {
    const file = new MemoryJsonFile()
    await keeper(file).secrets.save('profile', keyId, secret)
    const { secrets, notices } = keeper(file.reopened(), encryption)
    expect(await secrets.load('profile', keyId)).toBeUndefined()
    expect(secrets.kept()).toEqual({})
    expect(notices).toEqual([expect.stringContaining('Enter the key again')])
    expect(await keeper(file.reopened()).secrets.load('profile', keyId)).toBe(secret)
  })

  test.each([
    ['is damaged', { kind: 'lost', setAsidePath: '/x' } as const],
    [
      'has the public password',
      {
        kind: 'ok',
        value: {
          version: 2,
          secrets: {
            profile: {
              backend: 'basic_text',
              use: keyId,
              blob: Buffer.from('v10 and what it hides').toString('base64'),
            },
          },
        },
      } as const,
    ],
  ])('because its file %s is asked for again', async (_, read) => {
    const { secrets, notices } = keeper(new MemoryJsonFile(read))
    expect(await secrets.load('profile', keyId)).toBeUndefined()
    expect(notices).toEqual([expect.stringContaining('Enter the key again')])
  })
})

describe('what this version cannot read', () => {
  const broken = { backend: 'x', use: keyId, blob: '{' }

  test('of one entry affects only that entry, which stays on disk until replaced', async () => {
    const first = new MemoryJsonFile()
    await keeper(first).secrets.save('good', keyId, secret)
    const { secrets: entries } = first.written.at(-1) as { secrets: Record<string, unknown> }
    const file = new MemoryJsonFile({ kind: 'ok', value: { version: 2, secrets: { ...entries, broken } } })
    const { secrets, notices } = keeper(file)
    await secrets.open()
    expect(secrets.kept()).toEqual({ good: 'keyring' })
    expect(await secrets.load('broken', keyId)).toBeUndefined()
    expect(await secrets.load('good', keyId)).toBe(secret)
    await secrets.save('third', 'key-3', 'third')
    expect(file.written.at(-1)).toMatchObject({ secrets: { ...entries, broken } })
    expect(await keeper(file.reopened()).secrets.load('good', keyId)).toBe(secret)
    await secrets.save('broken', keyId, 'entered again')
    expect(await keeper(file.reopened()).secrets.load('broken', keyId)).toBe('entered again')
    expect(notices).toEqual([])
  })

  test.each([
    ['of a newer version', { kind: 'ok', value: { version: 3, vault: 'x' } } as const, 'newer version'],
    ['that the system does not give', { kind: 'unreadable', reason: 'EIO' } as const, 'EIO'],
  ])('because it is a file %s is left as it is, and new keys last for the session', async (_, read, words) => {
    const file = new MemoryJsonFile(read)
    // Like the real file, it refuses writes if it could not be read.
    if (read.kind === 'unreadable') file.problem = { code: 'unreadable', message: 'secret.json could not be read.' }
    const { secrets, notices } = keeper(file)
    await secrets.open()
    expect(notices).toEqual([expect.stringContaining(words)])
    expect(await secrets.save('profile', keyId, secret)).toBe('session')
    expect(await secrets.load('profile', keyId)).toBe(secret)
    await secrets.forget('profile')
    expect(file.written).toEqual([])
  })

  test('is damage only if the file is not a file of keys', () => {
    expect(isSecretDocument({ version: 3 })).toBe(true)
    expect(isSecretDocument({ version: 2, secrets: { broken } })).toBe(true)
    for (const other of [{}, { version: 2 }, { version: 1, secrets: {} }, []])
      expect(isSecretDocument(other)).toBe(false)
  })
})

describe('when the disk fails', () => {
  test('saving keeps the secret for the session with a reason', async () => {
    const file = new MemoryJsonFile()
    file.problem = { code: 'diskFull', message: 'Disk full.' }
    const { secrets, notices } = keeper(file)
    expect(await secrets.save('profile', keyId, secret)).toBe('session')
    expect(await secrets.load('profile', keyId)).toBe(secret)
    expect(notices).toEqual(['The key is kept until Indexwatch quits. Disk full.'])
  })

  test('it is tried again by the clock, and the secret is kept by the keyring then', async () => {
    const file = new MemoryJsonFile()
    file.problem = { code: 'diskFull', message: 'Disk full.' }
    const { secrets, notices, clock } = keeper(file)
    await secrets.save('profile', keyId, secret)
    clock.advance(5_000)
    await secrets.open()
    expect([notices.length, secrets.kept()]).toEqual([1, { profile: 'session' }])
    file.problem = undefined
    clock.advance(5_000)
    await secrets.open()
    expect(secrets.kept()).toEqual({ profile: 'keyring' })
    expect(notices.at(-1)).toBe('The saved keys are now up to date on the disk.')
    expect(clock.pending).toBe(0)
    expect(await keeper(file.reopened()).secrets.load('profile', keyId)).toBe(secret)
  })

  test('secrets for the session stay in memory when the disk works again', async () => {
    const file = new MemoryJsonFile()
    const real = keyring()
    const encrypt = (text: string) =>
      text === 'refused' ? Promise.reject(new Error('User refused')) : real.encrypt(text)
    const { secrets, clock } = keeper(file, keyring({ encrypt }))
    await secrets.save('session', keyId, 'refused')
    file.problem = { code: 'diskFull', message: 'Disk full.' }
    await secrets.save('profile', keyId, secret)
    file.problem = undefined
    clock.advance(5_000)
    await secrets.open()
    expect(secrets.kept()).toEqual({ session: 'session', profile: 'keyring' })
  })

  test('forgetting says that the encrypted key is still there', async () => {
    const file = new MemoryJsonFile()
    const { secrets, notices } = keeper(file)
    await secrets.save('profile', keyId, secret)
    file.problem = { code: 'readOnly', message: 'Read-only.' }
    await secrets.forget('profile')
    expect(await secrets.load('profile', keyId)).toBeUndefined()
    expect(notices).toEqual([expect.stringContaining('could not be removed')])
  })
})

describe('several secrets', () => {
  test('are kept side by side; forgetting or replacing one leaves the other', async () => {
    const file = new MemoryJsonFile()
    const { secrets } = keeper(file)
    await Promise.all([secrets.save('one', 'key-1', 'first'), secrets.save('two', 'key-1', 'second')])
    await secrets.save('one', 'key-1', 'newer')
    const { secrets: again } = keeper(file.reopened())
    expect(await again.load('one', 'key-1')).toBe('newer')
    expect(await again.load('two', 'key-1')).toBe('second')
    await secrets.forget('one')
    const { secrets: after } = keeper(file.reopened())
    expect(await after.load('one', 'key-1')).toBeUndefined()
    expect(await after.load('two', 'key-1')).toBe('second')
  })

  test('are known to be kept before any of them is opened', async () => {
    const file = new MemoryJsonFile()
    const { secrets } = keeper(file)
    await secrets.save('one', 'key-1', 'first')
    await secrets.save('two', 'key-2', 'second')
    const { secrets: again, notices } = keeper(file.reopened(), keyring({ key: 0x11 }))
    await again.open()
    expect(again.kept()).toEqual({ one: 'keyring', two: 'keyring' })
    expect(await again.load('one', 'key-1')).toBeUndefined()
    expect(again.kept()).toEqual({ two: 'keyring' })
    expect(notices).toHaveLength(1)
  })

  test('kept for the session does not change the one in the keyring', async () => {
    const file = new MemoryJsonFile()
    await keeper(file).secrets.save('one', 'key-1', 'first')
    const { secrets } = keeper(file.reopened(), noKeyring())
    const written = file.written.at(-1)
    expect(await secrets.save('two', 'key-2', 'second')).toBe('session')
    expect(secrets.kept()).toEqual({ one: 'keyring', two: 'session' })
    expect(await keeper(new MemoryJsonFile({ kind: 'ok', value: written })).secrets.load('one', 'key-1')).toBe('first')
  })
})

describe('while the keyring asks its user', () => {
  test('a saved secret is known immediately, only for its use', async () => {
    const { encryption, asked } = askingKeyring(keyring())
    const { secrets } = keeper(new MemoryJsonFile(), encryption)
    const saving = secrets.save('profile', keyId, secret)
    expect(await secrets.load('profile', keyId)).toBe(secret)
    expect(await secrets.load('profile', 'key-2')).toBeUndefined()
    expect(secrets.kept()).toEqual({ profile: 'session' })
    asked[0]?.allow()
    expect(await saving).toBe('keyring')
    expect(secrets.kept()).toEqual({ profile: 'keyring' })
    expect(await secrets.load('profile', 'key-2')).toBeUndefined()
  })

  test('others are kept, given and forgotten', async () => {
    const file = new MemoryJsonFile()
    const { secrets: first } = keeper(file)
    await first.save('locked', keyId, secret)
    await first.save('gone', keyId, secret)
    const { encryption, asked } = askingKeyring(keyring())
    const { secrets } = keeper(file.reopened(), encryption)
    await secrets.open()
    void secrets.load('locked', keyId)
    await turn()
    const saving = secrets.save('other', keyId, 'other secret')
    asked[1]?.allow()
    expect(await saving).toBe('keyring')
    await secrets.forget('gone')
    expect(secrets.kept()).toEqual({ locked: 'keyring', other: 'keyring' })
  })

  test('several loads of a secret access the keyring once', async () => {
    const file = new MemoryJsonFile()
    await keeper(file).secrets.save('profile', keyId, secret)
    const { encryption, asked } = askingKeyring(keyring())
    const { secrets } = keeper(file.reopened(), encryption)
    await secrets.open()
    expect(secrets.look('profile', keyId)).toEqual({ state: 'sealed' })
    const loads = [secrets.load('profile', keyId), secrets.load('profile', keyId)]
    await turn()
    expect(asked).toHaveLength(1)
    asked[0]?.allow()
    expect(await Promise.all(loads)).toEqual([secret, secret])
    expect(secrets.look('profile', keyId)).toEqual({ state: 'known', secret })
  })

  test('a refused secret is not lost, and is requested again only by `retry`', async () => {
    const file = new MemoryJsonFile()
    await keeper(file).secrets.save('profile', keyId, secret)
    const { encryption, asked } = askingKeyring(keyring())
    const { secrets, notices } = keeper(file.reopened(), encryption)
    await secrets.open()
    const refused = secrets.load('profile', keyId)
    await turn()
    asked[0]?.refuse()
    expect(await refused).toBeUndefined()
    expect(notices).toEqual([expect.stringContaining('Unlock it and restart Indexwatch')])
    expect(secrets.look('profile', keyId)).toEqual({ state: 'withheld' })
    expect(await secrets.load('profile', keyId)).toBeUndefined()
    expect(asked).toHaveLength(1)
    secrets.retry()
    const again = secrets.load('profile', keyId)
    await turn()
    asked[1]?.allow()
    expect(await again).toBe(secret)
  })

  test('a secret replaced or forgotten during a load does not return', async () => {
    const file = new MemoryJsonFile()
    const { secrets: first } = keeper(file)
    await first.save('replaced', keyId, 'old')
    await first.save('forgotten', keyId, 'old')
    const { encryption, asked } = askingKeyring(keyring())
    const second = file.reopened()
    const { secrets } = keeper(second, encryption)
    await secrets.open()
    const late = [secrets.load('replaced', keyId), secrets.load('forgotten', keyId)]
    await turn()
    const never = secrets.save('never', keyId, 'new')
    const replacing = secrets.save('replaced', keyId, 'new')
    await secrets.forget('forgotten')
    await secrets.forget('never')
    for (const each of asked) each.allow()
    expect(await Promise.all(late)).toEqual(['new', undefined])
    expect(await replacing).toBe('keyring')
    await never
    expect(secrets.kept()).toEqual({ replaced: 'keyring' })
    expect(await keeper(second.reopened()).secrets.load('replaced', keyId)).toBe('new')
    expect(await keeper(second.reopened()).secrets.load('never', keyId)).toBeUndefined()
  })
})
