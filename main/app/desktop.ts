import { join } from 'node:path'
import { app, protocol } from 'electron'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { WindowUpdate } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import type { Outcome } from '../../protocol/model'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import type { Log } from '../base/log'
import { appImage } from '../desktop/icon-image'
import { appTitle } from '../desktop/launch-options'
import { pageHandler, pageScheme, pageUrl } from '../desktop/page-files'
import { TrayIcon } from '../desktop/tray'
import type { TrayView } from '../desktop/tray-view'
import { MainWindow } from '../desktop/window'
import { readPlace } from '../desktop/window-bounds'
import { Bridge } from '../ipc/bridge'

interface Options {
  clock: Clock
  log: Log
  placeFile: JsonFile
  handlers: CommandHandlers
  trayView: () => TrayView
  /** The user chose the alerts in the tray's menu. */
  onOpenAlerts: () => void
  onVisibility: (isVisible: boolean) => void
  onGivenUp: () => void
  /** Says where the app is now that its window was closed. Answers whether the user could see it. */
  explainClosing: () => Promise<boolean>
}

const hourMs = 3_600_000

/** What the app has on the desktop once Electron is ready: its window, its tray icon and the bridge to the page. */
export class Desktop {
  readonly window: MainWindow
  readonly tray: TrayIcon
  readonly #bridge: Bridge
  #saving: Promise<unknown> = Promise.resolve()

  private constructor(options: Options, place: unknown, devServer: string | undefined) {
    const { clock, log, placeFile, handlers, trayView, onOpenAlerts, onVisibility, onGivenUp, explainClosing } = options
    this.window = new MainWindow({
      clock,
      log,
      title: appTitle(app.getVersion()),
      icon: appImage(128),
      preloadPath: join(app.getAppPath(), 'out', 'preload', 'index.cjs'),
      pageUrl: devServer ?? pageUrl,
      place: readPlace(place),
      onVisibility,
      onPlace: (changed) => {
        this.#saving = placeFile.write(changed)
      },
      onGivenUp,
      explainClosing,
    })
    const report = (doing: string, asked: Outcome<null> | Promise<Outcome<null>>) => {
      void Promise.resolve(asked).then((answer) => {
        if (!answer.ok) log.warn(`${doing} from the tray failed`, { problem: answer.problem.message })
      })
    }
    const mute = (untilMs: number | null) => {
      report('Muting', handlers.snoozeAlerts({ scope: { of: 'all' }, untilMs }))
    }
    this.tray = new TrayIcon({
      clock,
      view: trayView,
      actions: {
        open: () => {
          this.window.open()
        },
        openAlerts: onOpenAlerts,
        muteForHour: () => {
          mute(clock.wallMs() + hourMs)
        },
        mute: () => {
          mute(null)
        },
        unmute: () => {
          report('Unmuting', handlers.endSnooze({ scope: { of: 'all' } }))
        },
        quit: () => {
          app.quit()
        },
      },
    })
    const page = () => this.window.page
    this.#bridge = new Bridge({ handlers, log, page, ...(devServer === undefined ? {} : { devServer }) })
  }

  static async create(options: Options): Promise<Desktop> {
    // Set by the development server alone, which a packaged app has no use for.
    const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
    protocol.handle(pageScheme.scheme, await pageHandler(join(app.getAppPath(), 'out', 'renderer'), options.log))
    const place = await options.placeFile.read()
    return new Desktop(options, 'value' in place ? place.value : undefined, devServer)
  }

  send(update: Json<WindowUpdate>): void {
    this.#bridge.send(update)
  }

  /** Done when the window's place is saved. */
  async dispose(): Promise<void> {
    this.window.dispose()
    this.tray.dispose()
    this.#bridge.dispose()
    await this.#saving
  }
}
