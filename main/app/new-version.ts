/** Another version was installed over the running one: the next start says so, and this one asks to be started again. */
import { app, dialog } from 'electron'

export class NewVersion {
  readonly #running: string
  /** Offered already, and not again. */
  readonly #offered = new Set<string>()

  constructor(running: string) {
    this.#running = running
  }

  /** Another start was of this version: offers, once for each, to start again. */
  async seen(version: string): Promise<void> {
    if (version === this.#running || this.#offered.has(version)) return
    this.#offered.add(version)
    const { response } = await dialog.showMessageBox({
      type: 'info',
      title: 'New version',
      message: `Indexwatch ${version} is installed: restart to use it`,
      detail: `${this.#running} is still running. Restarting takes a few seconds; what is reached meanwhile is notified late, from history.`,
      buttons: ['Restart', 'Later'],
      defaultId: 0,
      cancelId: 1,
    })
    if (response !== 0) return
    // An AppImage is started by its file: what it runs from goes when it ends.
    const appImage = process.env['APPIMAGE']
    app.relaunch(appImage === undefined ? undefined : { execPath: appImage, args: process.argv.slice(1) })
    app.quit()
  }
}
