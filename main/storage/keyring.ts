import { safeStorage } from 'electron'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import { SecretKeeper, type Encryption } from './secret-keeper'

/**
 * The calls that every supported Electron has. The newest also has asynchronous ones and advises them; older ones have
 * these alone, and a key saved by one Electron must be read by the next.
 */
interface SynchronousSafeStorage {
  isEncryptionAvailable(): boolean
  encryptString(text: string): Buffer
  decryptString(blob: Buffer): string
}

const storage: SynchronousSafeStorage = safeStorage

const systemEncryption: Encryption = {
  isAvailable: () => storage.isEncryptionAvailable(),
  backend: () => (process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : process.platform),
  encrypt: (text) => storage.encryptString(text),
  decrypt: (blob) => storage.decryptString(blob),
}

/** The secrets of the user's own keys in the operating system's keyring. To be used once Electron is ready. */
export class Secrets extends SecretKeeper {
  constructor(options: { file: JsonFile; clock: Clock; onError: (error: unknown) => void }) {
    super({ ...options, encryption: systemEncryption, platform: process.platform })
  }
}
