import type { Encryption } from '../../main/storage/secret-keeper'

/** A keyring in memory. Its encryption is reversible and not secure. */
export const memoryEncryption: Encryption = {
  backend: () => 'gnome_libsecret',
  encrypt: (text) => Promise.resolve(Buffer.from(`v11${Buffer.from(text).toString('hex')}`)),
  decrypt: (blob) => Promise.resolve(Buffer.from(blob.subarray(3).toString(), 'hex').toString()),
  dispose: () => undefined,
}
