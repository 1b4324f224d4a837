import { isAsynchronous, type SystemStorage } from '../base/electron-versions'
import type { Encryption } from './secret-keeper'

/** Access to the keyring. */
export type KeyringCalls = Omit<Encryption, 'backend'>

/**
 * The operating system's keyring. Uses the asynchronous calls if Electron has them, otherwise (or if `usesOtherProcess`)
 * `otherProcess`. Synchronous calls would block this process while the user is asked for the keyring's password.
 * `isEncryptionAvailable` is not used: on Plasma 6 it returns false although the keyring works.
 */
export function systemEncryption(
  storage: SystemStorage,
  platform: NodeJS.Platform,
  { otherProcess, usesOtherProcess }: { otherProcess: KeyringCalls; usesOtherProcess: boolean },
): Encryption {
  const calls = !usesOtherProcess && isAsynchronous(storage) ? asynchronous(storage) : otherProcess
  return {
    backend: () => (platform === 'linux' ? storage.getSelectedStorageBackend() : platform),
    encrypt: (text) => calls.encrypt(text),
    decrypt: (blob) => calls.decrypt(blob),
    dispose: () => calls.dispose(),
  }
}

function asynchronous(storage: Required<SystemStorage>): KeyringCalls {
  const available = async () => {
    if (!(await storage.isAsyncEncryptionAvailable())) throw new Error('There is no keyring.')
  }
  return {
    encrypt: async (text) => {
      await available()
      return storage.encryptStringAsync(text)
    },
    decrypt: async (blob) => {
      await available()
      return (await storage.decryptStringAsync(blob)).result
    },
    dispose: () => undefined,
  }
}
