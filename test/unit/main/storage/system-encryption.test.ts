import { expect, test } from 'vitest'
import { systemEncryption, type SystemStorage } from '../../../../main/storage/system-encryption'

const synchronous: SystemStorage = {
  getSelectedStorageBackend: () => 'gnome_libsecret',
  isEncryptionAvailable: () => true,
  encryptString: (text) => Buffer.from(`sync ${text}`),
  decryptString: () => {
    throw new Error('locked')
  },
}

const newest: SystemStorage = {
  ...synchronous,
  isAsyncEncryptionAvailable: () => Promise.resolve(false),
  encryptStringAsync: (text) => Promise.resolve(Buffer.from(`async ${text}`)),
  decryptStringAsync: (blob) => Promise.resolve({ result: blob.toString(), shouldReEncrypt: false }),
}

test('the asynchronous calls are taken where there are all of them', async () => {
  const encryption = systemEncryption(newest, 'linux')
  expect(await encryption.isAvailable()).toBe(false)
  expect((await encryption.encrypt('x')).toString()).toBe('async x')
  expect(await encryption.decrypt(Buffer.from('y'))).toBe('y')
})

test('an older Electron is asked by those that it has, and what they throw is a failure like any other', async () => {
  for (const older of [
    synchronous,
    { ...synchronous, encryptStringAsync: () => Promise.resolve(Buffer.from('async')) },
  ]) {
    const encryption = systemEncryption(older, 'linux')
    expect(await encryption.isAvailable()).toBe(true)
    expect((await encryption.encrypt('x')).toString()).toBe('sync x')
    await expect(encryption.decrypt(Buffer.from('y'))).rejects.toThrow('locked')
  }
})

test('on Linux the keyring has a name, elsewhere it is the system', () => {
  expect(systemEncryption(newest, 'linux').backend()).toBe('gnome_libsecret')
  expect(systemEncryption(newest, 'darwin').backend()).toBe('darwin')
})
