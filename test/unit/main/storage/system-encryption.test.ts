import { expect, test } from 'vitest'
import type { SystemStorage } from '../../../../main/base/electron-versions'
import { systemEncryption, type KeyringCalls } from '../../../../main/storage/system-encryption'

const older: SystemStorage = { getSelectedStorageBackend: () => 'gnome_libsecret' }

/** The synchronous calls exist too but must not be used, because they block the app while the user is asked. */
const newest = {
  ...older,
  isEncryptionAvailable: (): boolean => {
    throw new Error('made in the app itself')
  },
  isAsyncEncryptionAvailable: () => Promise.resolve(true),
  encryptStringAsync: (text: string) => Promise.resolve(Buffer.from(`async ${text}`)),
  decryptStringAsync: (blob: Buffer) => Promise.resolve({ result: blob.toString(), shouldReEncrypt: false }),
}

const otherProcess: KeyringCalls = {
  encrypt: (text) => Promise.resolve(Buffer.from(`other ${text}`)),
  decrypt: () => Promise.reject(new Error('locked')),
  dispose: () => undefined,
}

test('the asynchronous calls are taken where there are all of them', async () => {
  const encryption = systemEncryption(newest, 'linux', { otherProcess, usesOtherProcess: false })
  expect((await encryption.encrypt('x')).toString()).toBe('async x')
  expect(await encryption.decrypt(Buffer.from('y'))).toBe('y')
})

test('the asynchronous call tells whether there is a keyring', async () => {
  const locked = { ...newest, isAsyncEncryptionAvailable: () => Promise.resolve(false) }
  const encryption = systemEncryption(locked, 'linux', { otherProcess, usesOtherProcess: false })
  await expect(encryption.encrypt('x')).rejects.toThrow('There is no keyring.')
  await expect(encryption.decrypt(Buffer.from('y'))).rejects.toThrow('There is no keyring.')
})

test('an older Electron has its keyring asked in another process', async () => {
  for (const storage of [older, { ...older, encryptStringAsync: newest.encryptStringAsync }]) {
    const encryption = systemEncryption(storage, 'linux', { otherProcess, usesOtherProcess: false })
    expect((await encryption.encrypt('x')).toString()).toBe('other x')
    await expect(encryption.decrypt(Buffer.from('y'))).rejects.toThrow('locked')
  }
})

test('a process without the session bus always uses another process for the keyring', async () => {
  const encryption = systemEncryption(newest, 'linux', { otherProcess, usesOtherProcess: true })
  expect((await encryption.encrypt('x')).toString()).toBe('other x')
})

test('on Linux the keyring has a name, elsewhere it is the system', () => {
  expect(systemEncryption(newest, 'linux', { otherProcess, usesOtherProcess: false }).backend()).toBe('gnome_libsecret')
  expect(systemEncryption(newest, 'darwin', { otherProcess, usesOtherProcess: false }).backend()).toBe('darwin')
})
