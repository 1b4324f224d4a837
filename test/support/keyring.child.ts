/** The keyring process, with a keyring that waits, blocks every thread or fails, as told. */
import { serveKeyring } from '../../main/storage/keyring-process'

const [, , how] = process.argv

function ask(text: string): string {
  if (how === 'refuses') throw new Error('User refused')
  if (how === 'dies') process.exit(1)
  if (how === 'isSilent') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  return Array.from(text).toReversed().join('')
}

await serveKeyring(
  {
    isEncryptionAvailable: () => how !== 'isAbsent',
    encryptString: (text) => Buffer.from(ask(text)),
    decryptString: (blob) => ask(blob.toString()),
  },
  process.stdin,
  process.stdout,
)
