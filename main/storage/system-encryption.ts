import type { Encryption } from './secret-keeper'

/** What is used of Electron's `safeStorage`: older ones have the synchronous calls alone. */
export interface SystemStorage {
  getSelectedStorageBackend(): string
  isEncryptionAvailable(): boolean
  encryptString(text: string): Buffer
  decryptString(blob: Buffer): string
  isAsyncEncryptionAvailable?(): Promise<boolean>
  encryptStringAsync?(text: string): Promise<Buffer>
  /** Reads what `encryptString` made, too. */
  decryptStringAsync?(blob: Buffer): Promise<{ result: string }>
}

/**
 * The operating system's keyring, by the asynchronous calls where Electron has them: the app goes on while the user is
 * asked to unlock it. The synchronous ones hold everything up, and are to go in Electron 46.
 */
export function systemEncryption(storage: SystemStorage, platform: NodeJS.Platform): Encryption {
  const backend = () => (platform === 'linux' ? storage.getSelectedStorageBackend() : platform)
  const isAsync =
    storage.isAsyncEncryptionAvailable !== undefined &&
    storage.encryptStringAsync !== undefined &&
    storage.decryptStringAsync !== undefined
  return isAsync
    ? { backend, ...asynchronous(storage as Required<SystemStorage>) }
    : { backend, ...synchronous(storage) }
}

function asynchronous(storage: Required<SystemStorage>): Omit<Encryption, 'backend'> {
  return {
    isAvailable: () => storage.isAsyncEncryptionAvailable(),
    encrypt: (text) => storage.encryptStringAsync(text),
    decrypt: async (blob) => (await storage.decryptStringAsync(blob)).result,
  }
}

/** What they throw is the promise's failure. */
function synchronous(storage: SystemStorage): Omit<Encryption, 'backend'> {
  return {
    isAvailable: async () => Promise.resolve(storage.isEncryptionAvailable()),
    encrypt: async (text) => Promise.resolve(storage.encryptString(text)),
    decrypt: async (blob) => Promise.resolve(storage.decryptString(blob)),
  }
}
