import type { AlertDraft } from '../../core/alerts'
import type { AlertImportPreview } from '../../core/alert-events'
import type { DecimalText, IndexId } from '../../core/model'
import type { ChartSpan } from '../../protocol/responses'
import type { OfferedTool } from '../../protocol/service-tools'

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

/** What is asked for from anywhere and done by one part of the page. */
export type PageCommand = 'newList' | 'importLists' | 'importAlerts'

/** The one dialog that was asked for; whoever shows that kind takes it from here. */
export class Dialogs {
  asked = $state.raw<AskedDialog>()
  readonly #commands: Partial<Record<PageCommand, () => void>> = {}

  show(dialog: AskedDialog): void {
    this.asked = dialog
  }

  /** The dialog closed; another one may have been asked for by then. */
  closed(kind: AskedDialog['kind']): void {
    if (this.asked?.kind === kind) this.asked = undefined
  }

  /** Says who runs a command. Returns the way to stop. */
  handle(command: PageCommand, run: () => void): () => void {
    this.#commands[command] = run
    return () => Reflect.deleteProperty(this.#commands, command)
  }

  send(command: PageCommand): void {
    this.#commands[command]?.()
  }
}
