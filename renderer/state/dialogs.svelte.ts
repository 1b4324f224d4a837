import type { AlertDraft } from '../../core/alerts'
import type { AlertImportPreview } from '../../core/alert-events'
import type { ConnectionProfile, IndexId, ListSection, SavedDesk, SavedWebhook, Watchlist } from '../../core/model'
import type { ListTarget } from '../../core/list-alerts'
import { decodeText } from '../../core/file-text'
import { maxTickerText } from '../../core/tickers'
import type { ChartSpan, ListImportPreview, TickerImportPreview } from '../../protocol/responses'
import type { OfferedTool } from '../../protocol/service-tools'
import type { CommandArguments } from '../../protocol/commands/contract'
import type { Perform } from './api'
import type { Toasts } from './toasts.svelte'

const maxFileName = 255

/** The dialogs that any part of the page can open. app.svelte shows them, except `addIndex` and `formula`. */
export type DialogRequest =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'updateNotes' }
  /** Shown by the watchlist. `text` is typed already. */
  | { kind: 'addIndex'; text?: string }
  /** Shown by the watchlist. `indexId` is an index to begin with, or a formula to edit. */
  | { kind: 'formula'; indexId?: IndexId }
  /** Edits `stored`, or adds a connection. `asksSecret` puts the focus on the secret. */
  | { kind: 'connection'; stored?: ConnectionProfile; asksSecret?: boolean }
  /** Edits `stored`, or adds a webhook. */
  | { kind: 'webhook'; stored?: SavedWebhook }
  /** Edits `stored`, or joins a desk. */
  | { kind: 'desk'; stored?: SavedDesk }
  /** Edits the alert with `ruleId`, or creates one, or one on each of `indexIds`. */
  | {
      kind: 'newAlert'
      /** The index to begin with. The first watched one if undefined. */
      indexId?: IndexId
      /** Several selected indices to offer. The first one is `indexId`. */
      indexIds?: readonly IndexId[]
      /** The list or section that the alert follows. */
      target?: ListTarget
      /** The level to begin with, published or typed. */
      level?: string
      /** A draft to begin with. */
      draft?: AlertDraft
      ruleId?: string
      /** The rule to edit is the desk's. */
      isOfDesk?: true
      /** The assistant's proposal that the draft comes from. */
      proposal?: { id: string; client: string }
    }
  | { kind: 'quickLook'; indexId: IndexId }
  | { kind: 'importAlerts'; preview: AlertImportPreview }
  | { kind: 'importLists'; preview: ListImportPreview }
  /** Into the list of this name at first, by default into a new one. */
  | { kind: 'importTickers'; preview: TickerImportPreview; into?: string }
  /** Renames a watchlist, or creates one. By default, the new one is shown. */
  | { kind: 'listName'; renamed?: Watchlist; oncreated?: (list: Pick<Watchlist, 'id' | 'name'>) => void }
  /** Renames a section of a watchlist, or adds one above an index or at the end. */
  | { kind: 'sectionName'; listId: string; renamed?: ListSection; beforeId?: IndexId }
  /** Asks for a value at a time. `indexId` fills in the index. */
  | { kind: 'valueAt'; indexId: IndexId }
  | { kind: 'chartRange'; onchosen: (span: ChartSpan) => void }
  | { kind: 'methodology'; indexId: IndexId; tool: OfferedTool }
  /** `title` names these indices together, such as a watchlist does. */
  | { kind: 'exportValues'; indexIds: IndexId[]; title: string }
  /** Asks for confirmation. `words` say what will be lost. */
  | { kind: 'confirm'; title: string; action: string; isDanger?: boolean; words: string; run: () => void }
  /** Asks for the format of a table. `save` then saves it in the format of the settings. */
  | { kind: 'saveTable'; title: string; save: () => void }

/** The props of a dialog: those of its request. `onclosed` is called after it closed. */
export type DialogProps<K extends DialogRequest['kind']> = Omit<Extract<DialogRequest, { kind: K }>, 'kind'> & {
  onclosed: () => void
}

/** The one dialog that is open, of those that any part of the page can open. */
export class Dialogs {
  readonly #perform: Perform
  readonly #toasts: Toasts
  current = $state.raw<DialogRequest>()
  #isChoosing = false

  constructor(perform: Perform, toasts: Toasts) {
    this.#perform = perform
    this.#toasts = toasts
  }

  show(dialog: DialogRequest): void {
    this.current = dialog
  }

  /** Called when a dialog has closed. Another one may have been shown by then. */
  closed(kind: DialogRequest['kind']): void {
    if (this.current?.kind === kind) this.current = undefined
  }

  /** Asks for the format of a table, then saves the table with the command. `title` says what is exported. */
  saveTable<N extends Parameters<Perform>[0]>(title: string, command: N, args: CommandArguments<N>): void {
    this.show({ kind: 'saveTable', title, save: () => void this.#perform(command, args) })
  }

  /** Lets the user choose a file of alerts, then shows what importing it would do. */
  async importAlerts(): Promise<void> {
    await this.#choose(async () => {
      const preview = await this.#perform('chooseAlertFile', {})
      if (preview) this.show({ kind: 'importAlerts', preview })
    })
  }

  /** Lets the user choose a file of watchlists, then shows what importing it would do. */
  async importLists(): Promise<void> {
    await this.#choose(async () => {
      const preview = await this.#perform('chooseListFile', {})
      if (preview) this.#showImport(preview)
    })
  }

  /** Shows what importing a dropped file would do. */
  async importFile(file: File, into: string): Promise<void> {
    const text = file.size > maxTickerText ? undefined : decodeText(new Uint8Array(await file.arrayBuffer()))
    if (text !== undefined) await this.importText(text, into, file.name.slice(-maxFileName))
    else if (file.size > maxTickerText) this.refuseImport(`${file.name} is larger than 1 MB. Import it in parts.`)
    else this.refuseImport(`${file.name} is not a text. Choose another file.`)
  }

  /** Shows what importing a text would do, at first into the list of this name. `fileName` names a new one. */
  async importText(text: string, into?: string, fileName?: string): Promise<void> {
    if (text.length > maxTickerText) {
      this.refuseImport('The text is larger than 1 MB. Import it in parts.')
      return
    }
    await this.#choose(async () => {
      const preview = await this.#perform('readLists', { text, fileName })
      if (preview) this.#showImport(preview, into)
    })
  }

  #showImport(preview: ListImportPreview | TickerImportPreview, into?: string): void {
    if ('lists' in preview) this.show({ kind: 'importLists', preview })
    else this.show({ kind: 'importTickers', preview, into })
  }

  refuseImport(reason: string): void {
    this.#toasts.fail(`Nothing was imported: ${reason}`)
  }

  /** Does nothing while the desktop's file dialog is open. */
  async #choose(run: () => Promise<void>): Promise<void> {
    if (this.#isChoosing) return
    this.#isChoosing = true
    await run()
    this.#isChoosing = false
  }
}
