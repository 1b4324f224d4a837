import type { SecretKept } from '../../protocol/desktop'
import * as v from 'valibot'
import { failure, type Outcome } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { JsonFile } from '../base/json-file'

/** What the operating system offers for keeping secrets. `encrypt` and `decrypt` fail where it does. */
export interface Encryption {
  isAvailable(): Promise<boolean>
  /** Name of what holds the key: `keychain`, `dpapi`, `gnome_libsecret`, `kwallet6`, `basic_text`, `unknown`… */
  backend(): string
  encrypt(text: string): Promise<Buffer>
  decrypt(blob: Buffer): Promise<string>
}

export interface SecretEvents {
  /** A sentence the user should read once. */
  notice: string
}

/** These encrypt with a password that is in Chromium's source: as good as plain text. */
const openBackends = new Set(['basic_text', 'unknown'])
const openBlobPrefix = 'v10'

const retryMs = 5_000

interface Known {
  use: string
  secret: string
  kept: SecretKept
}

/**
 * Keeps the secrets of the keys the user entered, one for each profile. On the disk only as the operating system's keyring
 * encrypts them; where there is no real keyring, in memory until the app ends. A write that fails is tried again every five
 * seconds.
 */
export class SecretKeeper {
  readonly events: Emitter<SecretEvents>
  readonly #file: JsonFile
  readonly #encryption: Encryption
  readonly #clock: Clock
  /** Only there can what is available be no keyring at all. */
  readonly #isLinux: boolean
  readonly #inMemory = new Map<string, Known>()
  /** What belongs on the disk, also what this version cannot read of it; absent until it has been read. */
  #onDisk: Map<string, unknown> | undefined
  #isNewer = false
  #cancelRetry: (() => void) | undefined
  /** Those on the disk that the keyring did not give. */
  readonly #withheld = new Set<string>()
  /** One after the other: each change writes all that is kept. */
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(options: {
    /** Keeps no backup: what is forgotten must be gone. */
    file: JsonFile
    encryption: Encryption
    clock: Clock
    platform: NodeJS.Platform
    onError: (error: unknown) => void
  }) {
    this.#file = options.file
    this.#encryption = options.encryption
    this.#clock = options.clock
    this.#isLinux = options.platform === 'linux'
    this.events = new Emitter(options.onError)
  }

  /** Finds out which secrets are kept, and opens none of them. */
  async open(): Promise<void> {
    await this.#inTurn(() => this.#read())
  }

  /**
   * Replaces what was kept for this profile. Answers where the secret is now. It is given for `use` alone, which says for
   * what key and servers. With `keepsFormer` those of other uses stay beside it until `dropFormers`, or until the profile
   * is asked for after a crash: whichever use the profile has then, its secret is there, and no other.
   */
  save(profileId: string, use: string, secret: string, { keepsFormer = false } = {}): Promise<SecretKept> {
    return this.#inTurn(async () => {
      const fresh = await this.#encrypt(use, secret)
      const entry = keepsFormer ? readEntry((await this.#read()).get(profileId)) : undefined
      const formers = entry === undefined ? [] : [alone(entry), ...(entry.formers ?? [])]
      const others = formers.filter((former) => former.use !== use)
      const encrypted = fresh !== undefined && others.length > 0 ? { ...fresh, formers: others } : fresh
      // Written in either case: an older secret must not stay behind on the disk.
      const written = await this.#write(profileId, encrypted)
      if (!written.ok) this.events.emit('notice', `The key is kept for this session only. ${written.problem.message}`)
      const kept = encrypted !== undefined && written.ok ? 'keyring' : 'session'
      this.#withheld.delete(profileId)
      this.#inMemory.set(profileId, { use, secret, kept })
      return kept
    })
  }

  /**
   * The secret of this profile; `undefined` when none is kept for this use of it, or when the keyring no longer gives it,
   * which a notice says.
   */
  load(profileId: string, use: string): Promise<string | undefined> {
    return this.#inTurn(async () => {
      const known = this.#inMemory.get(profileId)
      if (known?.use === use) return known.secret
      const entry = readEntry((await this.#read()).get(profileId))
      // What was saved in this run is what counts, whoever still asks for the one before.
      const formers = known === undefined ? (entry?.formers ?? []) : []
      const encrypted = [entry, ...formers].find((each) => each?.use === use)
      if (encrypted === undefined) return undefined
      // After a crash the profile says which of them is in use.
      if (formers.length > 0) await this.#write(profileId, alone(encrypted))
      const secret = await this.#decrypt(encrypted)
      if (secret === undefined) {
        this.#withheld.add(profileId)
        this.#askAgain()
      } else {
        this.#withheld.delete(profileId)
        this.#inMemory.set(profileId, { use, secret, kept: 'keyring' })
      }
      return secret
    })
  }

  /** The profile has its new secret for good. */
  dropFormers(profileId: string): Promise<void> {
    return this.#inTurn(async () => {
      const entry = readEntry((await this.#read()).get(profileId))
      if (entry?.formers !== undefined) await this.#write(profileId, alone(entry))
    })
  }

  /** Where each profile's secret is kept; those without one are missing. Complete once opened. */
  kept(): Record<string, SecretKept> {
    const onDisk = [...(this.#onDisk ?? [])].filter(
      ([profileId, entry]) => !this.#withheld.has(profileId) && readEntry(entry) !== undefined,
    )
    return {
      ...Object.fromEntries(onDisk.map(([profileId]) => [profileId, 'keyring' as const])),
      ...Object.fromEntries([...this.#inMemory].map(([profileId, { kept }]) => [profileId, kept])),
    }
  }

  /** Forgets the secret of this profile alone. */
  forget(profileId: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#inMemory.delete(profileId)
      this.#withheld.delete(profileId)
      const written = await this.#write(profileId, undefined)
      if (!written.ok) {
        this.events.emit('notice', `The encrypted key could not be removed from the disk. ${written.problem.message}`)
      }
    })
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastChange.then(change)
    this.#lastChange = turn.catch(() => undefined)
    return turn
  }

  async #read(): Promise<ReadonlyMap<string, unknown>> {
    if (this.#onDisk !== undefined) return this.#onDisk
    const read = await this.#file.read()
    const entries = 'value' in read ? readDocument(read.value) : new Map<string, unknown>()
    this.#isNewer = entries === 'newer'
    if (this.#isNewer) this.events.emit('notice', newerMessage)
    else if (read.kind === 'unreadable') this.events.emit('notice', unreadableMessage(read.reason))
    else if (read.kind === 'lost') this.#askAgain()
    this.#onDisk = entries === 'newer' ? new Map() : entries
    return this.#onDisk
  }

  async #write(profileId: string, secret: EncryptedSecret | undefined): Promise<Outcome<null>> {
    const changed = new Map(await this.#read())
    if (secret === undefined) changed.delete(profileId)
    else changed.set(profileId, secret)
    if (this.#isNewer) return failure('newerVersion', newerMessage)
    // Also when it cannot be written: what is forgotten is gone with the next write that succeeds.
    this.#onDisk = changed
    const written = await this.#file.write(toSecretDocument(changed))
    this.#cancelRetry?.()
    if (!written.ok) this.#retryLater()
    return written
  }

  #retryLater(): void {
    this.#cancelRetry = this.#clock.after(retryMs, () => {
      void this.#inTurn(async () => {
        const entries = await this.#read()
        const written = await this.#file.write(toSecretDocument(entries))
        if (!written.ok) {
          this.#retryLater()
          return
        }
        for (const [profileId, known] of this.#inMemory) {
          if (entries.has(profileId)) this.#inMemory.set(profileId, { ...known, kept: 'keyring' })
        }
        this.events.emit('notice', 'The saved keys are up to date on the disk now.')
      })
    })
  }

  #askAgain(): void {
    this.events.emit('notice', 'The keyring no longer gives a key that was saved. Enter the key again in Settings.')
  }

  async #encrypt(use: string, secret: string): Promise<EncryptedSecret | undefined> {
    try {
      const backend = this.#encryption.backend()
      if (this.#isOpenBackend(backend) || !(await this.#encryption.isAvailable())) return undefined
      const blob = await this.#encryption.encrypt(secret)
      return this.#isOpenBlob(blob) ? undefined : { backend, use, blob: blob.toString('base64') }
    } catch {
      // A locked keyring, or one that the user refused to open: the answer `session` says so.
      return undefined
    }
  }

  async #decrypt({ blob }: EncryptedSecret): Promise<string | undefined> {
    const bytes = Buffer.from(blob, 'base64')
    if (this.#isOpenBlob(bytes)) return undefined
    try {
      return (await this.#encryption.isAvailable()) ? await this.#encryption.decrypt(bytes) : undefined
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

const newerMessage =
  'The saved keys were made by a newer version of Indexwatch and are left as they are. Install it to use them.'

function unreadableMessage(reason: string): string {
  return `The saved keys could not be read and are left as they are. Check the disk and start Indexwatch again. (${reason})`
}

const keyEntries = { backend: v.string(), use: v.string(), blob: v.pipe(v.string(), v.base64()) }
const secretSchema = v.object({ ...keyEntries, formers: v.exactOptional(v.array(v.object(keyEntries))) })
/**
 * A secret as the keyring encrypted it, and what it may be used for; while it is replaced, with those before: as long as the
 * disk does not take the settings, any of them may be the one that the profile on the disk has.
 */
type EncryptedSecret = v.InferOutput<typeof secretSchema>

function alone({ backend, use, blob }: EncryptedSecret): EncryptedSecret {
  return { backend, use, blob }
}

function readEntry(entry: unknown): EncryptedSecret | undefined {
  const read = v.safeParse(secretSchema, entry)
  return read.success ? read.output : undefined
}

const version = 2
/** Secrets by the id of their profile, each as far as this version can read it. */
interface SecretDocument {
  version: number
  secrets: Record<string, unknown>
}
const documentSchema = v.object({ version: v.literal(version), secrets: v.record(v.string(), v.unknown()) })
const newerSchema = v.object({ version: v.pipe(v.number(), v.integer(), v.gtValue(version)) })

/** Whether a file of keys is worth keeping in its place. */
export function isSecretDocument(value: unknown): boolean {
  return v.is(documentSchema, value) || v.is(newerSchema, value)
}

/** What a document holds, by profile. */
function readDocument(document: unknown): Map<string, unknown> | 'newer' {
  if (v.is(newerSchema, document)) return 'newer'
  const read = v.safeParse(documentSchema, document)
  return new Map(read.success ? Object.entries(read.output.secrets) : [])
}

function toSecretDocument(secrets: ReadonlyMap<string, unknown>): SecretDocument {
  return { version, secrets: Object.fromEntries(secrets) }
}
