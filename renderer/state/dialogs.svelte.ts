import type { IndexId } from '../../protocol/model'

/** Dialogs that can be asked for from anywhere. */
export type AskedDialog =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'addIndex' }
  | { kind: 'newList' }
  | { kind: 'importLists' }
  | { kind: 'newAlert'; indexId: IndexId }

/** The one dialog that was asked for; whoever shows that kind takes it from here. */
export class Dialogs {
  #asked = $state.raw<AskedDialog>()

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
}
