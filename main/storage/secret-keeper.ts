import type { SecretKept } from '../../protocol/desktop'
import * as v from 'valibot'
import { failure, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { JsonFile } from '../base/json-file'
import { SerialTasks } from '../base/serial-tasks'

/**
 * The operating system's encryption of secrets. `encrypt` and `decrypt` may wait for the user, and reject if the user
 * refuses.
 */
export interface Encryption {
  /** Name of the store of the key: `darwin`, `win32`, `gnome_libsecret`, `kwallet6`, `unknown` and so on. */
  backend(): string
  encrypt(text: string): Promise<Buffer>
  decrypt(blob: Buffer): Promise<string>
  /** Call after the last request. */
  dispose(): void
}

export interface SecretEvents {
  /** A sentence to show the user once. */
  notice: string
  /** `kept()` changed. */
  changed: null
}

/** What is known of a secret without accessing the keyring. `sealed`: `load` will decrypt it. */
export type SecretKnown =
  | { state: 'known'; secret: string }
  | { state: 'sealed' }
  /** The keyring did not return it. */
  | { state: 'withheld' }
  | { state: 'none' }

/** On Linux, data with this prefix is encrypted with a password from Chromium's source, which protects nothing. */
const unprotectedPrefix = 'v10'

const retryMs = 5_000

interface Known {
  readonly use: string
  readonly secret: string
  kept: SecretKept
  /** The keyring has encrypted it. It may not be on disk yet. */
  isEncrypted: boolean
}

interface SaveOptions {
  keepsFormer?: boolean
  /** A pending result of `seal`. */
  sealing?: Promise<EncryptedSecret | undefined>
}

/** A secret being decrypted by the keyring. */
interface Opening {
  use: string
  secret: Promise<string | undefined>
}

interface Options {
  /** Must keep no copy, because a forgotten secret must be gone. */
  file: JsonFile
  encryption: Encryption
  clock: Clock
  platform: NodeJS.Platform
  onError: (error: unknown) => void
}

/**
 * Keeps the secrets of the keys that the user entered, one for each profile. On disk they are encrypted by the
 * operating system's keyring. Without a real keyring they stay in memory until the app ends. A failed write is retried
 * every five seconds. The keyring may take minutes or never answer, and only the caller of that request waits for it.
 */
export class SecretKeeper {
  readonly events: Emitter<SecretEvents>
  readonly #options: Options
  readonly #inMemory = new Map<string, Known>()
  /** What should be on disk, including entries this version cannot read. Undefined until read. */
  #onDisk: Map<string, unknown> | undefined
  #isNewer = false
  #cancelRetry: (() => void) | undefined
  /** Profiles whose secret the keyring did not return. */
  readonly #withheld = new Set<string>()
  readonly #opening = new Map<string, Opening>()
  /** Changes run one at a time, because each writes the whole file. */
  readonly #changes = new SerialTasks()

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
  }

  /** Reads which secrets are stored. Decrypts none of them. */
  async open(): Promise<void> {
    await this.#changes.run(() => this.#read())
  }

  /** Encrypts a secret for this use with the keyring. Undefined if the keyring fails. */
  async seal(use: string, secret: string): Promise<EncryptedSecret | undefined> {
    try {
      const blob = await this.#options.encryption.encrypt(secret)
      if (this.#isUnprotected(blob)) return undefined
      return { backend: this.#options.encryption.backend(), use, blob: blob.toString('base64') }
    } catch {
      // There is no keyring, it is locked, or the user refused. A notice tells the user.
      return undefined
    }
  }

  /**
   * Replaces the secret of a profile. It applies immediately and is saved when encrypted. Returns where it is stored.
   * It is returned by `load` only for `use`, which identifies a key and its servers. With `keepsFormer` secrets of
   * other uses stay until `dropFormers`: after a crash the profile may have its former or its new use, and the secret
   * of that use is kept.
   */
  async save(
    profileId: string,
    use: string,
    secret: string,
    { keepsFormer = false, sealing = this.seal(use, secret) }: SaveOptions = {},
  ): Promise<SecretKept> {
    const known: Known = { use, secret, kept: 'session', isEncrypted: false }
    this.#inMemory.set(profileId, known)
    this.#withheld.delete(profileId)
    const encrypted = await sealing
    return this.#changes.run(async () => {
      // It was replaced or forgotten before the keyring answered.
      if (this.#inMemory.get(profileId) !== known) return this.#inMemory.get(profileId)?.kept ?? 'session'
      known.isEncrypted = encrypted !== undefined
      const entry = keepsFormer ? readEntry((await this.#read()).get(profileId)) : undefined
      const formers = entry === undefined ? [] : [withoutFormers(entry), ...(entry.formers ?? [])]
      const others = formers.filter((former) => former.use !== use)
      // Written even without encryption, so that an older secret does not stay on disk.
      const written = await this.#write(
        profileId,
        encrypted !== undefined && others.length > 0 ? { ...encrypted, formers: others } : encrypted,
      )
      known.kept = encrypted !== undefined && written.ok ? 'keyring' : 'session'
      if (!written.ok) this.events.emit('notice', `The key is kept until Indexwatch quits. ${written.problem.message}`)
      else if (encrypted === undefined) this.events.emit('notice', notStoredMessage)
      this.events.emit('changed', null)
      return known.kept
    })
  }

  /** What is known without waiting for the keyring. Complete after `open`. */
  look(profileId: string, use: string): SecretKnown {
    const known = this.#inMemory.get(profileId)
    // A secret saved in this run replaces the one on disk for every use.
    if (known !== undefined) return known.use === use ? { state: 'known', secret: known.secret } : { state: 'none' }
    if (findUse(this.#onDisk?.get(profileId), use) === undefined) return { state: 'none' }
    return { state: this.#withheld.has(profileId) ? 'withheld' : 'sealed' }
  }

  /**
   * The secret of a profile, decrypted by the keyring. Undefined if there is none for this use, or if the keyring
   * fails, which a notice reports.
   */
  async load(profileId: string, use: string): Promise<string | undefined> {
    const known = this.look(profileId, use)
    if (known.state === 'known') return known.secret
    if (known.state === 'withheld') return undefined
    const opening = this.#opening.get(profileId)
    if (opening?.use === use) return opening.secret
    const begun = { use, secret: this.#open(profileId, use) }
    this.#opening.set(profileId, begun)
    try {
      return await begun.secret
    } finally {
      if (this.#opening.get(profileId) === begun) this.#opening.delete(profileId)
    }
  }

  /** Lets `load` try again what the keyring did not return. */
  retry(): void {
    this.#withheld.clear()
  }

  dispose(): void {
    this.#cancelRetry?.()
    this.#options.encryption.dispose()
  }

  /** Drops secrets of former uses, after the profile was saved with its new use. */
  dropFormers(profileId: string): Promise<void> {
    return this.#changes.run(async () => {
      const entry = readEntry((await this.#read()).get(profileId))
      if (entry?.formers !== undefined) await this.#write(profileId, withoutFormers(entry))
    })
  }

  /** Where each profile's secret is stored. Profiles without one are missing. Complete after `open`. */
  kept(): Record<string, SecretKept> {
    const onDisk = [...(this.#onDisk ?? [])].filter(
      ([profileId, entry]) => !this.#withheld.has(profileId) && readEntry(entry) !== undefined,
    )
    return {
      ...Object.fromEntries(onDisk.map(([profileId]) => [profileId, 'keyring' as const])),
      ...Object.fromEntries([...this.#inMemory].map(([profileId, { kept }]) => [profileId, kept])),
    }
  }

  /** Forgets the secret of this profile. */
  forget(profileId: string): Promise<void> {
    return this.#changes.run(async () => {
      this.#inMemory.delete(profileId)
      this.#withheld.delete(profileId)
      const written = await this.#write(profileId, undefined)
      this.events.emit('changed', null)
      if (!written.ok) {
        this.events.emit('notice', `The encrypted key could not be removed from the disk. ${written.problem.message}`)
      }
    })
  }

  async #open(profileId: string, use: string): Promise<string | undefined> {
    const encrypted = await this.#changes.run(async () => {
      const entry = (await this.#read()).get(profileId)
      const found = this.#inMemory.has(profileId) ? undefined : findUse(entry, use)
      // After a crash the profile tells which of the secrets is in use.
      if (found !== undefined && readEntry(entry)?.formers !== undefined)
        await this.#write(profileId, withoutFormers(found))
      return found
    })
    if (encrypted === undefined) return undefined
    const secret = await this.#decrypt(encrypted)
    return this.#changes.run(async () => {
      // It was replaced or forgotten before the keyring answered.
      const now = this.look(profileId, use)
      if (now.state === 'known') return now.secret
      if (findUse((await this.#read()).get(profileId), use)?.blob !== encrypted.blob) return undefined
      if (secret === undefined) {
        if (this.#withheld.size === 0) this.events.emit('notice', notReturnedMessage)
        this.#withheld.add(profileId)
      } else {
        this.#withheld.delete(profileId)
        this.#inMemory.set(profileId, { use, secret, kept: 'keyring', isEncrypted: true })
      }
      this.events.emit('changed', null)
      return secret
    })
  }

  async #read(): Promise<ReadonlyMap<string, unknown>> {
    if (this.#onDisk !== undefined) return this.#onDisk
    const read = await this.#options.file.read()
    const entries = 'value' in read ? readDocument(read.value) : new Map<string, unknown>()
    this.#isNewer = entries === 'newer'
    if (this.#isNewer) this.events.emit('notice', newerMessage)
    else if (read.kind === 'unreadable') this.events.emit('notice', unreadableMessage(read.reason))
    else if (read.kind === 'lost') this.events.emit('notice', lostMessage)
    this.#onDisk = entries === 'newer' ? new Map() : entries
    return this.#onDisk
  }

  async #write(profileId: string, secret: EncryptedSecret | undefined): Promise<Outcome<null>> {
    const changed = new Map(await this.#read())
    if (secret === undefined) changed.delete(profileId)
    else changed.set(profileId, secret)
    if (this.#isNewer) return failure('newerVersion', newerMessage)
    // Set even if the write fails, so that a forgotten secret disappears with the next successful write.
    this.#onDisk = changed
    const written = await this.#options.file.write(toSecretDocument(changed))
    this.#cancelRetry?.()
    if (!written.ok) this.#retryLater()
    return written
  }

  #retryLater(): void {
    this.#cancelRetry = this.#options.clock.after(
      retryMs,
      () =>
        void this.#changes.run(async () => {
          const entries = await this.#read()
          const written = await this.#options.file.write(toSecretDocument(entries))
          if (!written.ok) {
            this.#retryLater()
            return
          }
          for (const known of this.#inMemory.values()) if (known.isEncrypted) known.kept = 'keyring'
          this.events.emit('changed', null)
          this.events.emit('notice', 'The saved keys are now up to date on the disk.')
        }),
    )
  }

  async #decrypt({ blob }: EncryptedSecret): Promise<string | undefined> {
    const bytes = Buffer.from(blob, 'base64')
    if (this.#isUnprotected(bytes)) return undefined
    try {
      return await this.#options.encryption.decrypt(bytes)
    } catch {
      return undefined
    }
  }

  #isUnprotected(blob: Buffer): boolean {
    // Elsewhere the available encryption is always a real keyring.
    return (
      this.#options.platform === 'linux' &&
      blob.subarray(0, unprotectedPrefix.length).toString('latin1') === unprotectedPrefix
    )
  }
}

const notStoredMessage =
  'The keyring did not store the secret, so it is kept until Indexwatch quits. Unlock the keyring, restart Indexwatch and enter the secret again.'
const notReturnedMessage =
  'The keyring did not return a saved key. Unlock it and restart Indexwatch. Enter the key again in Settings if that does not help.'
const lostMessage = 'The saved keys could not be read. Enter the key again in Settings.'
const newerMessage =
  'The saved keys were written by a newer version of Indexwatch and were not changed. Install that version to use them.'

function unreadableMessage(reason: string): string {
  return `The saved keys could not be read and were not changed. Check the disk and start Indexwatch again. (${reason})`
}

const keyEntries = { backend: v.string(), use: v.string(), blob: v.pipe(v.string(), v.base64()) }
const secretSchema = v.object({ ...keyEntries, formers: v.exactOptional(v.array(v.object(keyEntries))) })
/**
 * An encrypted secret and its use. While it is being replaced it includes the former ones: until the settings are
 * written, the profile on disk may have any of those uses.
 */
export type EncryptedSecret = v.InferOutput<typeof secretSchema>

function withoutFormers({ backend, use, blob }: EncryptedSecret): EncryptedSecret {
  return { backend, use, blob }
}

function readEntry(entry: unknown): EncryptedSecret | undefined {
  const read = v.safeParse(secretSchema, entry)
  return read.success ? read.output : undefined
}

/** The secret of a profile for this use. */
function findUse(entry: unknown, use: string): EncryptedSecret | undefined {
  const read = readEntry(entry)
  return read && [read, ...(read.formers ?? [])].find((each) => each.use === use)
}

const version = 2
/** Secrets by profile id. Each is validated when it is read. */
interface SecretDocument {
  version: number
  secrets: Record<string, unknown>
}
const documentSchema = v.object({ version: v.literal(version), secrets: v.record(v.string(), v.unknown()) })
const newerSchema = v.object({ version: v.pipe(v.number(), v.integer(), v.gtValue(version)) })

/** True if the content is a file of keys of this or a later version. */
export function isSecretDocument(value: unknown): boolean {
  return v.is(documentSchema, value) || v.is(newerSchema, value)
}

/** The secrets in a document, by profile. */
function readDocument(document: unknown): Map<string, unknown> | 'newer' {
  if (v.is(newerSchema, document)) return 'newer'
  const read = v.safeParse(documentSchema, document)
  return new Map(read.success ? Object.entries(read.output.secrets) : [])
}

function toSecretDocument(secrets: ReadonlyMap<string, unknown>): SecretDocument {
  return { version, secrets: Object.fromEntries(secrets) }
}
