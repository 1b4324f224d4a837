import { safeStorage } from 'electron'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import { SecretKeeper } from './secret-keeper'
import { systemEncryption } from './system-encryption'

/** Keeps the secrets of the user's own keys in the operating system's keyring. To be used once Electron is ready. */
export function keyringSecrets(options: {
  file: JsonFile
  clock: Clock
  onError: (error: unknown) => void
}): SecretKeeper {
  const { platform } = process
  return new SecretKeeper({ ...options, encryption: systemEncryption(safeStorage, platform), platform })
}
