import { BrowserWindow, clipboard, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron'
import { done, failure, type Outcome } from '../../core/model'
import type { ExportFormat } from '../../protocol/history'

/** Dialogs about files and hosts, and the clipboard. */
export interface FileDialogs {
  /** Asks where to save. Undefined if the user cancels. */
  askWhereToSave(suggestion: SuggestedFile): Promise<string | undefined>
  /** Asks which file to read. Undefined if the user cancels. */
  askWhichToRead(kind: FileKind): Promise<string | undefined>
  copy(text: string): Promise<Outcome<null>>
  /** Asks whether the app may connect to a host that it has not used before. */
  confirmHost(host: string): Promise<boolean>
}

export type FileKind = ExportFormat | 'json' | 'lists' | 'alerts' | 'pdf'

export interface SuggestedFile {
  /** Without extension. Any text. */
  name: string
  kind: FileKind
}

/** `others` are further extensions that can be read. */
const filters: Record<FileKind, { name: string; extension: string; others?: string[] }> = {
  csv: { name: 'Table (CSV)', extension: 'csv' },
  'csv-excel': { name: 'Table (CSV for Excel)', extension: 'csv' },
  xlsx: { name: 'Excel workbook', extension: 'xlsx' },
  parquet: { name: 'Table (Parquet)', extension: 'parquet' },
  json: { name: 'Watchlists (JSON)', extension: 'json' },
  lists: { name: 'Watchlists and tickers', extension: 'json', others: ['csv', 'txt', 'yaml', 'yml', '*'] },
  alerts: { name: 'Alerts (JSON)', extension: 'json' },
  pdf: { name: 'Document (PDF)', extension: 'pdf' },
}

const parentWindow = () => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]

/** The desktop's own dialogs, in front of the window if there is one. */
export const nativeFileDialogs: FileDialogs = {
  async askWhereToSave({ name, kind }) {
    const { extension, name: filterName } = filters[kind]
    const options: SaveDialogOptions = {
      defaultPath: `${fileName(name)}.${extension}`,
      filters: [{ name: filterName, extensions: [extension] }],
      properties: ['showOverwriteConfirmation', 'createDirectory'],
    }
    const parent = parentWindow()
    const { canceled, filePath } = await (parent === undefined
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(parent, options))
    return canceled || filePath === '' ? undefined : filePath
  },

  async askWhichToRead(kind) {
    const { name, extension, others = [] } = filters[kind]
    const options: OpenDialogOptions = {
      filters: [{ name, extensions: [extension, ...others] }],
      properties: ['openFile'],
    }
    const parent = parentWindow()
    const { canceled, filePaths } = await (parent === undefined
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(parent, options))
    return canceled ? undefined : filePaths[0]
  },

  async confirmHost(host) {
    // Without a parent window, so the page can neither cover nor close it.
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: `Connect to ${host}?`,
      detail: 'Indexwatch has not connected to this host before. Allow it only if you entered this address yourself.',
      buttons: ['Connect', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    })
    return response === 0
  },

  async copy(text) {
    try {
      await clipboard.writeText(text)
      return done
    } catch {
      const message = 'The clipboard could not be written. Close other programs that use the clipboard and try again.'
      return failure('clipboard', message)
    }
  },
}

/** Text as a file name that is valid on every system. */
function fileName(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ').replace(/\s+/g, ' ')
  const name = plain
    .trim()
    .replace(/^\.+|\.+$/g, '')
    .slice(0, 80)
  return name === '' ? 'Indexwatch' : name
}
