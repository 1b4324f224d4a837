import type { Encryption } from '../../main/storage/secret-keeper'

/** A keyring that waits with each answer until its user, the test, has decided; what it was asked stands in order. */
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

/** What was begun goes as far as it gets without an answer from outside. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
