import type { FileDialogs, SuggestedFile } from '../../main/desktop/file-dialogs'

/** File dialogs that answer like a user. */
export class ScriptedDialogs implements FileDialogs {
  /** The answer to the next dialog. */
  path: string | undefined
  readonly suggested: SuggestedFile[] = []
  readonly copied: string[] = []
  /** The answer about new hosts. */
  isHostAllowed = true
  readonly askedHosts: string[] = []
  /** Runs while a dialog is open. */
  meanwhile: () => void = () => undefined

  askWhereToSave(suggestion: SuggestedFile): Promise<string | undefined> {
    this.suggested.push(suggestion)
    this.meanwhile()
    return Promise.resolve(this.path)
  }

  askWhichToRead(): Promise<string | undefined> {
    return Promise.resolve(this.path)
  }

  confirmHost(host: string): Promise<boolean> {
    this.askedHosts.push(host)
    return Promise.resolve(this.isHostAllowed)
  }

  copy(text: string): Promise<{ ok: true; value: null }> {
    this.copied.push(text)
    return Promise.resolve({ ok: true, value: null })
  }
}
