import type { AlertDraft } from '../../core/alerts'
import type { AlertImportPreview } from '../../core/alert-events'
import type { DecimalText, IndexId } from '../../core/model'
import type { ChartSpan } from '../../protocol/responses'
import type { OfferedTool } from '../../protocol/service-tools'
import type { Perform } from './api'

/**
 * Dialogs that can be asked for from anywhere. A new alert may begin with a level or a draft; with `ruleId` that
 * rule is edited.
 */
export type AskedDialog =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'updateNotes' }
  | { kind: 'addIndex' }
  /** Shown by the settings, at their connections. */
  | { kind: 'addConnection' }
  /** Begins with this index, or changes this formula. */
  | { kind: 'formula'; indexId?: IndexId }
  | {
      kind: 'newAlert'
      indexId?: IndexId
      level?: DecimalText
      draft?: AlertDraft
      ruleId?: string
      /** What the draft was proposed by. */
      proposal?: { id: string; client: string }
    }
  | { kind: 'importAlerts'; preview: AlertImportPreview }
  | { kind: 'valueAt'; indexId: IndexId }
  | { kind: 'chartRange'; onchosen: (span: ChartSpan) => void }
  | { kind: 'methodology'; indexId: IndexId; tool: OfferedTool }
  | { kind: 'exportValues'; indexIds: IndexId[]; title: string }

/** The one dialog that was asked for; whoever shows that kind takes it from here. */
export class Dialogs {
  readonly #perform: Perform
  asked = $state.raw<AskedDialog>()
  #isChoosing = false

  constructor(perform: Perform) {
    this.#perform = perform
  }

  show(dialog: AskedDialog): void {
    this.asked = dialog
  }

  /** The dialog closed; another one may have been asked for by then. */
  closed(kind: AskedDialog['kind']): void {
    if (this.asked?.kind === kind) this.asked = undefined
  }

  /** Lets the user choose a file of alerts; the dialog opens with what it would do. */
  async importAlerts(): Promise<void> {
    if (this.#isChoosing) return
    this.#isChoosing = true
    const preview = await this.#perform('chooseAlertFile', {})
    this.#isChoosing = false
    if (preview) this.show({ kind: 'importAlerts', preview })
  }
}
