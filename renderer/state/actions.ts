import { fromJson, type CommandArguments, type DesktopApi, type SecretKept } from '../../protocol/desktop'
import type {
  AlertView,
  ConnectionProfile,
  ConnectionTest,
  Diagnostics,
  IndexId,
  Outcome,
  RequestedResolution,
  Theme,
  WatchlistEntry,
} from '../../protocol/model'
import { settled } from './settled'
import type { Toasts } from './toasts.svelte'

/**
 * What a user can ask for. Called from events of the user alone, never from an effect. What has no field to show a
 * refusal by shows it as a toast.
 */
export class Actions {
  readonly #api: DesktopApi
  readonly #toasts: Toasts

  constructor(api: DesktopApi, toasts: Toasts) {
    this.#api = api
    this.#toasts = toasts
  }

  async addIndex(listId: string, indexId: IndexId): Promise<void> {
    await this.#attempt(this.#api.addIndex({ listId, indexId }), `${indexId} could not be added`)
  }

  /** Removes at once and offers to undo it, place and resolution included. */
  async removeIndex(listId: string, { id, maxResolution }: WatchlistEntry): Promise<void> {
    const removed = await this.#attempt(this.#api.removeIndex({ listId, indexId: id }), `${id} could not be removed`)
    if (removed === undefined) return
    this.#toasts.show(`${id} removed`, () => {
      const { position } = removed
      void this.#attempt(
        this.#api.addIndex({ listId, indexId: id, position, maxResolution }),
        `${id} could not be put back`,
      )
    })
  }

  async setResolution(listId: string, indexId: IndexId, maxResolution: RequestedResolution): Promise<void> {
    const asked = this.#api.setResolution({ listId, indexId, maxResolution })
    await this.#attempt(asked, `The resolution of ${indexId} could not be changed`)
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.#attempt(this.#api.setTheme({ theme }), 'The theme could not be changed')
  }

  /** Answers with the refusal, to be shown by the field. */
  createAlert(args: CommandArguments<'createAlert'>): Promise<Outcome<AlertView>> {
    return settled(this.#api.createAlert(args))
  }

  async deleteAlert(ruleId: string): Promise<void> {
    await this.#attempt(this.#api.deleteAlert({ ruleId }), 'The alert could not be deleted')
  }

  async markInboxRead(): Promise<void> {
    await this.#attempt(this.#api.markInboxRead({}), 'The inbox could not be marked as read')
  }

  async reconnect(): Promise<void> {
    await this.#attempt(this.#api.reconnect({}), 'A new attempt could not be started')
  }

  /** Answers with the refusal, to be shown by the field. */
  saveProfile(args: CommandArguments<'saveProfile'>): Promise<Outcome<{ kept: SecretKept }>> {
    return settled(this.#api.saveProfile(args))
  }

  async removeProfile(profileId: string): Promise<void> {
    await this.#attempt(this.#api.removeProfile({ profileId }), 'The connection could not be removed')
  }

  /** Answers whether the index is open now. */
  async openIndex(indexId: IndexId): Promise<boolean> {
    return (await this.#attempt(this.#api.openIndex({ indexId }), `${indexId} could not be opened`)) !== undefined
  }

  async closeIndex(): Promise<void> {
    await this.#attempt(this.#api.closeIndex({}), 'The index could not be closed')
  }

  async dismissNotice(noticeId: string): Promise<void> {
    await this.#attempt(this.#api.dismissNotice({ noticeId }), 'The notice could not be dismissed')
  }

  async #attempt<T>(call: Promise<Outcome<T>>, failure: string): Promise<T | undefined> {
    const answer = await settled(call)
    if (answer.ok) return answer.value
    this.#toasts.fail(`${failure}: ${answer.problem.message}`)
    return undefined
  }

  async setPreferences(preferences: CommandArguments<'setPreferences'>): Promise<void> {
    await this.#attempt(this.#api.setPreferences(preferences), 'The setting could not be changed')
  }

  async setProfileEnabled(profile: ConnectionProfile, isEnabled: boolean): Promise<void> {
    const asked = this.#api.setProfileEnabled({ profileId: profile.id, isEnabled })
    await this.#attempt(asked, `${profile.name} could not be ${isEnabled ? 'taken into use' : 'put out of use'}`)
  }

  /** Answers with what was found, or with the refusal, to be shown by the field. */
  testConnection(args: CommandArguments<'testConnection'>): Promise<Outcome<ConnectionTest>> {
    return settled(this.#api.testConnection(args))
  }

  /** Answers with the problem, to be shown in place of what was asked for. */
  async getDiagnostics(): Promise<Outcome<Diagnostics>> {
    const answer = await settled(this.#api.getDiagnostics({}))
    return answer.ok ? { ok: true, value: fromJson(answer.value) } : answer
  }

  /** `what` begins the message: `Diagnostics copied`. */
  async copyText(text: string, what: string): Promise<void> {
    const copied = await this.#attempt(this.#api.copyText({ text }), `${what} could not be copied`)
    if (copied !== undefined) this.#toasts.show(`${what} copied`)
  }
}
