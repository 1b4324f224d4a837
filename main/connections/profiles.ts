import type { SecretKept } from '../../protocol/desktop'
import type { ConnectionTest } from '../../protocol/responses'
import { done, ok, failure, type ConnectionProfile, type Outcome } from '../../core/model'
import { connectionTester } from './connection-test'
import { originsOf, secretUse } from './connection-config'
import type { Connections } from './connections'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { Routes } from '../base/routes'
import { SerialTasks } from '../base/serial-tasks'
import { keyFormProblem } from '../base/http'
import type { SecretKeeper } from '../storage/secret-keeper'
import type { SettingsStore } from '../storage/settings'

interface Options {
  settings: SettingsStore
  secrets: SecretKeeper
  connections: Pick<Connections, 'choose' | 'retry'>
  /** Texts that the log removes. */
  hidden: Set<string>
  clock: Clock
  appVersion: string
  routes?: Routes | undefined
  onError: (error: unknown) => void
}

/** How to end the wait for the keyring: save nothing, or keep the secret for this session only. */
type Stop = 'cancel' | 'session'

/** Keeps the settings file within the size that can be read back. */
export const maxProfiles = 20
const tooManyProfiles = failure(
  'tooManyProfiles',
  `You have reached the limit of ${maxProfiles} connections. Remove one first.`,
)
const cancelled = failure('cancelled', 'Nothing was saved.')
const secretMissing = failure('secretMissing', 'Enter the secret that belongs to this key.')
const secretOfOtherServer = failure('secretMissing', 'Enter the secret again: an address now points to another server.')
const unknownProfile = failure('unknownProfile', 'That connection no longer exists.')

/** The user's connections: saving, testing, enabling, removing. */
export class Profiles {
  readonly events: Emitter<{ awaitingKeyring: null }>
  readonly #options: Options
  readonly #test: ReturnType<typeof connectionTester>
  readonly #stops = new Map<string, (how: Stop) => void>()
  readonly #awaiting = new Set<string>()
  /**
   * Changes run one after the other, so that a secret never meets the addresses of an earlier profile. None of them
   * waits for the keyring.
   */
  readonly #changes = new SerialTasks()

  constructor(options: Options) {
    this.#options = options
    this.#test = connectionTester(options)
    this.events = new Emitter(options.onError)
  }

  /**
   * Waits for the keyring until it answers or `stopWaiting` is called. Other changes do not wait. Problems:
   * `cancelled`, `tooManyProfiles`, `unfitKey`, and `secretMissing` (no secret was entered, and none is stored or may
   * be used).
   */
  async save(profile: ConnectionProfile, keySecret: string): Promise<Outcome<{ kept: SecretKept }>> {
    const { settings, secrets } = this.#options
    if (this.#isOneTooMany(profile)) return tooManyProfiles
    this.stopWaiting(profile.id, 'cancel')
    const stopped = new Promise<Stop>((resolve) => this.#stops.set(profile.id, resolve))
    const secret = await this.#waiting(profile.id, Promise.race([this.#secretFor(profile, keySecret), stopped]))
    if (typeof secret === 'string') return cancelled
    if (!secret.ok) return secret
    this.#options.hidden.add(secret.value)
    const use = secretUse(profile)
    const saved = this.#saved(profile.id)
    const isKept = keySecret === '' && saved !== undefined && secretUse(saved) === use
    const sealed = isKept
      ? undefined
      : await this.#waiting(profile.id, Promise.race([secrets.seal(use, secret.value), stopped]))
    if (sealed === 'cancel') return cancelled
    const sealing = Promise.resolve(sealed === 'session' ? undefined : sealed)
    const keep = () =>
      isKept
        ? Promise.resolve(secrets.kept()[profile.id] ?? 'session')
        : secrets.save(profile.id, use, secret.value, { keepsFormer: true, sealing })
    const stored = await this.#changes.run(() => this.#store(profile, keep))
    // Until the profile is on the disk, the next start may need the former secrets. It drops those that it does not
    // need.
    if (stored.ok && settings.isSaved) await secrets.dropFormers(profile.id)
    return stored
  }

  /** Ends the wait for the keyring. Saves nothing, or keeps the secret for this session only. */
  stopWaiting(profileId: string, how: Stop): void {
    this.#stops.get(profileId)?.(how)
  }

  /** Ids of profiles that wait for the keyring. */
  get awaitingKeyring(): string[] {
    return [...this.#awaiting]
  }

  async #waiting<T>(profileId: string, answer: Promise<T>): Promise<T> {
    this.#awaiting.add(profileId)
    this.events.emit('awaitingKeyring', null)
    try {
      return await answer
    } finally {
      this.#awaiting.delete(profileId)
      this.events.emit('awaitingKeyring', null)
    }
  }

  async #store(profile: ConnectionProfile, keep: () => Promise<SecretKept>): Promise<Outcome<{ kept: SecretKept }>> {
    const { settings, connections } = this.#options
    if (this.#isOneTooMany(profile)) return tooManyProfiles
    const kept = await keep()
    const stored = settings.setProfile(profile)
    await connections.choose()
    connections.retry(profile.id)
    await stored
    return ok({ kept })
  }

  #isOneTooMany({ id }: ConnectionProfile): boolean {
    return this.#saved(id) === undefined && this.#options.settings.get().profiles.length >= maxProfiles
  }

  remove(profileId: string): Promise<void> {
    const { settings, secrets, connections } = this.#options
    this.stopWaiting(profileId, 'cancel')
    return this.#changes.run(async () => {
      const stored = settings.removeProfile(profileId)
      await secrets.forget(profileId)
      await connections.choose()
      await stored
    })
  }

  /** Problem `unknownProfile`. */
  setEnabled(profileId: string, isEnabled: boolean): Promise<Outcome<null>> {
    return this.#changes.run(async () => {
      const profile = this.#saved(profileId)
      if (profile === undefined) return unknownProfile
      const stored = this.#options.settings.setProfile({ ...profile, isEnabled })
      await this.#options.connections.choose()
      await stored
      return done
    })
  }

  /** Tests a connection without saving it. Problems: `secretMissing`, `unfitKey`, `testRunning`. */
  async test(profile: ConnectionProfile, keySecret: string): Promise<Outcome<ConnectionTest>> {
    // A secret that is being saved belongs to addresses that are not saved yet.
    await this.#changes.idle()
    const secret = await this.#waiting(profile.id, this.#secretFor(profile, keySecret))
    if (!secret.ok) return secret
    this.#options.hidden.add(secret.value)
    return this.#test(profile, secret.value)
  }

  /**
   * The secret for a profile. An empty one means the stored secret, but only for the same key on the same servers.
   * Otherwise an edited address would send it to somebody else.
   */
  async #secretFor(profile: ConnectionProfile, keySecret: string): Promise<Outcome<string>> {
    let secret = keySecret
    if (keySecret === '') {
      const saved = this.#saved(profile.id)
      if (saved?.keyId !== profile.keyId) return secretMissing
      if (leadsElsewhere(profile, saved)) return secretOfOtherServer
      this.#options.secrets.retry()
      const kept = await this.#options.secrets.load(profile.id, secretUse(saved))
      if (kept === undefined) return secretMissing
      secret = kept
    }
    const unfit = keyFormProblem(profile.auth, profile.keyId, secret)
    return unfit === undefined ? ok(secret) : failure('unfitKey', unfit)
  }

  #saved(profileId: string): ConnectionProfile | undefined {
    return this.#options.settings.get().profiles.find(({ id }) => id === profileId)
  }
}

/** The stream's server must be the same. The other two may be any server that already has the key. */
function leadsElsewhere(profile: ConnectionProfile, saved: ConnectionProfile): boolean {
  const [servers, trusted] = [originsOf(profile), originsOf(saved)]
  return servers[0] !== trusted[0] || servers.some((origin) => !trusted.includes(origin))
}
