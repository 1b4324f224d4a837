import * as v from 'valibot'
import type { SecretKept } from '../../protocol/desktop'
import type { Outcome } from '../../protocol/model'
import { Emitter } from '../base/emitter'
import type { JsonFile } from '../base/json-file'

/** What the operating system offers for keeping secrets. `encrypt` and `decrypt` throw where it fails. */
export interface Encryption {
  isAvailable(): boolean
  /** Name of what holds the key: `keychain`, `dpapi`, `gnome_libsecret`, `kwallet6`, `basic_text`, `unknown`… */
  backend(): string
  encrypt(text: string): Buffer
  decrypt(blob: Buffer): string
}

export interface SecretEvents {
  /** A sentence the user should read once. */
  notice: string
}

const secretSchema = v.object({
  backend: v.string(),
  keyId: v.string(),
  blob: v.pipe(v.string(), v.base64()),
})
type EncryptedSecret = v.InferOutput<typeof secretSchema>

const documentSchema = v.object({ version: v.literal(1), secret: v.nullable(secretSchema) })
type SecretDocument = v.InferOutput<typeof documentSchema>

/** These encrypt with a password that is in Chromium's source: as good as plain text. */
const openBackends = new Set(['basic_text', 'unknown'])
const openBlobPrefix = 'v10'

/**
 * Keeps the secret of the one key the user entered. On the disk only as the operating system's keyring encrypts it;
 * where there is no real keyring, in memory until the app ends.
 */
export class SecretKeeper {
  readonly events: Emitter<SecretEvents>
  readonly #file: JsonFile
  readonly #encryption: Encryption
  /** Only there can what is available be no keyring at all. */
  readonly #isLinux: boolean
  #inMemory: { keyId: string; secret: string; kept: SecretKept } | undefined

  constructor(options: {
    /** Keeps no backup: what is forgotten must be gone. */
    file: JsonFile
    encryption: Encryption
    platform: NodeJS.Platform
    onError: (error: unknown) => void
  }) {
    this.#file = options.file
    this.#encryption = options.encryption
    this.#isLinux = options.platform === 'linux'
    this.events = new Emitter(options.onError)
  }

  /** Replaces whatever was kept. Answers where the secret is now. */
  async save(keyId: string, secret: string): Promise<SecretKept> {
    const encrypted = this.#encrypt(keyId, secret)
    // Written in either case: an older secret must not stay behind on the disk.
    const written = await this.#write(encrypted ?? null)
    if (!written.ok) this.events.emit('notice', `The key is kept for this session only. ${written.problem.message}`)
    const kept = encrypted !== undefined && written.ok ? 'keyring' : 'session'
    this.#inMemory = { keyId, secret, kept }
    return kept
  }

  /** The secret of this key; `undefined` when none is kept, or when the keyring no longer gives it: a notice tells. */
  async load(keyId: string): Promise<string | undefined> {
    if (this.#inMemory?.keyId === keyId) return this.#inMemory.secret
    const read = await this.#file.read()
    if (read.kind === 'absent') return undefined
    const document = v.safeParse(documentSchema, 'value' in read ? read.value : undefined)
    if (!document.success) {
      this.#askAgain()
      return undefined
    }
    const encrypted = document.output.secret
    if (encrypted?.keyId !== keyId) return undefined
    const secret = this.#decrypt(encrypted)
    if (secret === undefined) this.#askAgain()
    else this.#inMemory = { keyId, secret, kept: 'keyring' }
    return secret
  }

  /** Where the secret that is in use is kept; absent while there is none. */
  kept(): SecretKept | undefined {
    return this.#inMemory?.kept
  }

  async forget(): Promise<void> {
    this.#inMemory = undefined
    const written = await this.#write(null)
    if (!written.ok) {
      this.events.emit('notice', `The encrypted key could not be removed from the disk. ${written.problem.message}`)
    }
  }

  #write(secret: EncryptedSecret | null): Promise<Outcome<null>> {
    return this.#file.write({ version: 1, secret } satisfies SecretDocument)
  }

  #askAgain(): void {
    this.events.emit('notice', 'The keyring no longer gives the key that was saved. Enter the key again in Settings.')
  }

  #encrypt(keyId: string, secret: string): EncryptedSecret | undefined {
    try {
      const backend = this.#encryption.backend()
      if (!this.#encryption.isAvailable() || this.#isOpenBackend(backend)) return undefined
      const blob = this.#encryption.encrypt(secret)
      return this.#isOpenBlob(blob) ? undefined : { backend, keyId, blob: blob.toString('base64') }
    } catch {
      // A locked keyring, or one that the user refused to open: the answer `session` tells.
      return undefined
    }
  }

  #decrypt({ blob }: EncryptedSecret): string | undefined {
    const bytes = Buffer.from(blob, 'base64')
    if (this.#isOpenBlob(bytes)) return undefined
    try {
      return this.#encryption.isAvailable() ? this.#encryption.decrypt(bytes) : undefined
    } catch {
      return undefined
    }
  }

  #isOpenBackend(backend: string): boolean {
    return this.#isLinux && openBackends.has(backend)
  }

  #isOpenBlob(blob: Buffer): boolean {
    return this.#isLinux && blob.subarray(0, openBlobPrefix.length).toString('latin1') === openBlobPrefix
  }
}
