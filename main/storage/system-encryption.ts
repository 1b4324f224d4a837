import type { Encryption } from './secret-keeper'

/** What asks the keyring. */
export type KeyringCalls = Omit<Encryption, 'backend'>

/** What is used of Electron's `safeStorage`: older ones lack the asynchronous calls. */
export interface SystemStorage {
  getSelectedStorageBackend(): string
  isAsyncEncryptionAvailable?(): Promise<boolean>
  encryptStringAsync?(text: string): Promise<Buffer>
  /** Reads what `encryptString` made, too. */
  decryptStringAsync?(blob: Buffer): Promise<{ result: string }>
}

/**
 * The operating system's keyring: by the asynchronous calls where Electron has them, else, or where it is to be asked apart
 * from this process, as `otherProcess` asks it. The
 * synchronous calls hold up their whole process while the user is asked for the keyring's password. What they say of its
 * being there is not asked either: on Plasma 6 that fails though the keyring answers.
 */
export function systemEncryption(
  storage: SystemStorage,
  platform: NodeJS.Platform,
  { otherProcess, isAskedApart }: { otherProcess: KeyringCalls; isAskedApart: boolean },
): Encryption {
  const calls = !isAskedApart && isAsynchronous(storage) ? asynchronous(storage) : otherProcess
  return {
    backend: () => (platform === 'linux' ? storage.getSelectedStorageBackend() : platform),
    encrypt: (text) => calls.encrypt(text),
    decrypt: (blob) => calls.decrypt(blob),
    dispose: () => calls.dispose(),
  }
}

/** Whether the app itself may ask the keyring. */
export function isAsynchronous(storage: SystemStorage): storage is Required<SystemStorage> {
  return (
    storage.isAsyncEncryptionAvailable !== undefined &&
    storage.encryptStringAsync !== undefined &&
    storage.decryptStringAsync !== undefined
  )
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
