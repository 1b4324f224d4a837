import type { CommandArguments, DesktopApi, SecretKept } from '../../protocol/desktop'
import type {
  AlertView,
  DecimalText,
  IndexId,
  Outcome,
  RequestedResolution,
  Theme,
  WatchlistEntry,
} from '../../protocol/model'
import { formatValue } from '../format/value'
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

  /** Moves an alert at once and offers to put it back where it was. Answers whether it was moved. */
  async setAlertLevel({ id, indexId, level: before }: AlertView, level: DecimalText): Promise<boolean> {
    const failure = `The alert on ${indexId} could not be moved`
    const moved = await this.#attempt(this.#api.setAlertLevel({ ruleId: id, level }), failure)
    if (moved === undefined) return false
    this.#toasts.show(`Alert on ${indexId} moved to ${formatValue(level)}`, () => {
      void this.#attempt(this.#api.setAlertLevel({ ruleId: id, level: before }), failure)
    })
    return true
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
}
