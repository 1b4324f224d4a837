import type { AlertDraft } from '../../protocol/alerts'
import type { IndexId } from '../../protocol/model'

/**
 * Dialogs that can be asked for from anywhere. A new alert may begin with a draft; with `ruleId` that rule is edited.
 */
export type AskedDialog =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'addIndex' }
  | { kind: 'newAlert'; indexId?: IndexId; draft?: AlertDraft; ruleId?: string }

/** What is asked for from anywhere and done by one part of the page. */
export type Errand = 'newList' | 'importLists' | 'importAlerts'

/** The one dialog that was asked for; whoever shows that kind takes it from here. */
export class Dialogs {
  #asked = $state.raw<AskedDialog>()
  readonly #errands: Partial<Record<Errand, () => void>> = {}

  get asked(): AskedDialog | undefined {
    return this.#asked
  }

  show(dialog: AskedDialog): void {
    this.#asked = dialog
  }

  /** The dialog closed; another one may have been asked for by then. */
  closed(kind: AskedDialog['kind']): void {
    if (this.#asked?.kind === kind) this.#asked = undefined
  }

  /** Says who does an errand. Returns the way to stop. */
  takes(errand: Errand, run: () => void): () => void {
    this.#errands[errand] = run
    return () => {
      Reflect.deleteProperty(this.#errands, errand)
    }
  }

  send(errand: Errand): void {
    this.#errands[errand]?.()
  }
}
