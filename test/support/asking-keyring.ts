import type { Encryption } from '../../main/storage/secret-keeper'

/** A keyring that holds each answer until the test decides. Requests are kept in order. */
export function askingKeyring(keyring: Encryption) {
  const asked: { allow: () => void; refuse: () => void }[] = []
  const decided = <T>(answer: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      asked.push({
        allow: () => resolve(answer()),
        refuse: () => reject(new Error('User refused')),
      })
    })
  const encryption: Encryption = {
    ...keyring,
    encrypt: (text) => decided(() => keyring.encrypt(text)),
    decrypt: (blob) => decided(() => keyring.decrypt(blob)),
  }
  return { encryption, asked }
}

/** Runs all pending work that waits for nothing external. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
