import { safeStorage } from 'electron'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import { SecretKeeper } from './secret-keeper'
import { systemEncryption } from './system-encryption'

/** The secrets of the user's own keys in the operating system's keyring. To be used once Electron is ready. */
export class Secrets extends SecretKeeper {
  constructor(options: { file: JsonFile; clock: Clock; onError: (error: unknown) => void }) {
    const { platform } = process
    super({ ...options, encryption: systemEncryption(safeStorage, platform), platform })
  }
}
