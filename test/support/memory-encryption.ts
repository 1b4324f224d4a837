import type { Clock } from '../../main/base/clock'
import { SecretKeeper } from '../../main/storage/secret-keeper'
import { MemoryJsonFile } from './memory-json-file'
import { onError } from './on-error'
import type { Encryption } from '../../main/storage/secret-keeper'

/** A keyring in memory. Its encryption is reversible and not secure. */
export const memoryEncryption: Encryption = {
  backend: () => 'gnome_libsecret',
  encrypt: (text) => Promise.resolve(Buffer.from(`v11${Buffer.from(text).toString('hex')}`)),
  decrypt: (blob) => Promise.resolve(Buffer.from(blob.subarray(3).toString(), 'hex').toString()),
  dispose: () => undefined,
}

/** Secrets in a keyring and a file that last as long as the test. */
export function memorySecrets(clock: Clock, file = new MemoryJsonFile()): SecretKeeper {
  return new SecretKeeper({ file, encryption: memoryEncryption, clock, platform: 'darwin', onError })
}
