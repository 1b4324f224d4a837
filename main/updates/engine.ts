/** electron-updater, as used by this app. Loaded at the first check. */
import { AppImageUpdater, MacUpdater, NsisUpdater, type BaseUpdater } from 'electron-updater'
import type { InstallOptions } from 'electron-updater/out/BaseUpdater'
import { getAppCacheDir, type AppAdapter } from 'electron-updater/out/AppAdapter'
import * as v from 'valibot'
import type { FoundUpdate } from '../../protocol/updates'
import { sanitizeText } from '../base/sanitize'
import type { Log } from '../base/log'
import type { Routes } from '../base/routes'
import { startAfterEnd, type AppImage } from './app-image'
import { readPublished } from './downloaded-file'
import type { PackageKind } from './package-kind'
import { NodeRequests } from './node-requests'
import type { UpdateEngine } from './updates'

interface Options {
  /** The web folder with the list of versions and the packages. */
  url: URL
  version: string
  kind: PackageKind
  /** Set for an AppImage. */
  image: AppImage | undefined
  /** Arguments of the restart after an installation. */
  args: readonly string[]
  log: Log
  /** electron-builder's file beside the app. It has the name of the cache folder and, on Windows, the publisher. */
  configPath: string
  quit: () => void
  /** Parent of the download folder. The system's cache folder by default. */
  cacheFolder?: string
  /** As in `NodeRequests`. */
  routes?: Routes
  ca?: string
}

const maxNotes = 50
const maxNotesLength = 20_000
const maxNoteLineLength = 2_000

/** Checks, downloads and installs on this system. */
export function createEngine(options: Options): UpdateEngine {
  const updater = createUpdater(options)
  configure(updater, options)
  return {
    check: async () => {
      const result = await updater.checkForUpdates()
      if (result?.isUpdateAvailable !== true) return undefined
      const found = foundUpdate(result.updateInfo)
      return isPreRelease(found.version) && !isPreRelease(options.version) ? undefined : found
    },
    download: async (onPercent) => {
      const report = ({ percent }: { percent: number }) => onPercent(percent)
      updater.on('download-progress', report)
      try {
        await updater.downloadUpdate()
      } finally {
        updater.off('download-progress', report)
      }
    },
    installAtEnd: (startsAgain) => {
      if (updater instanceof MacUpdater) return
      if (!updater.install(true, startsAgain)) throw new Error('the installation failed: see above')
    },
    ...(updater instanceof MacUpdater && {
      restart: () => updater.quitAndInstall(),
    }),
  }
}

function createUpdater({ kind, image, args, ...options }: Options): BaseUpdater | MacUpdater {
  const app = adapter(options)
  if (kind === 'mac') return new MacUpdater(undefined, app)
  return kind === 'nsis' ? new CheckedNsisUpdater(null, app) : new OneFileUpdater(app, image, args)
}

/** A version such as 0.2.0-alpha is offered only to users of one. */
function isPreRelease(version: string): boolean {
  return /^v?\d+\.\d+\.\d+-/.test(version)
}

function configure(updater: BaseUpdater | MacUpdater, { url, log, routes, ca }: Options): void {
  updater.logger = {
    info: (message) => log.info('Updates', { message: String(message) }),
    warn: (message) => log.warn('Updates', { message: String(message) }),
    // Errors are also thrown, and logged by the caller.
    error: (message) => log.info('Updates', { message: String(message) }),
  }
  updater.autoDownload = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  // On macOS Squirrel installs after the app has quit. Elsewhere `installAtEnd` does at the end of a normal exit.
  updater.autoInstallOnAppQuit = updater instanceof MacUpdater
  // Errors reject the call that caused them. Without a listener they would end the process.
  updater.on('error', () => undefined)
  Object.assign(updater, {
    httpExecutor: new NodeRequests(url, { routes, ca }),
    // Otherwise an id is created, stored and sent, for staged releases.
    stagingUserIdPromise: { value: Promise.resolve('') },
  })
  updater.isUserWithinRollout = () => true
  updater.setFeedURL({ provider: 'generic', url: url.href })
}

function adapter({
  version,
  configPath,
  quit,
  cacheFolder,
}: Pick<Options, 'version' | 'configPath' | 'quit' | 'cacheFolder'>): AppAdapter {
  return {
    version,
    name: 'indexwatch',
    isPackaged: true,
    appUpdateConfigPath: configPath,
    userDataPath: '',
    baseCachePath: cacheFolder ?? getAppCacheDir(),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit,
    onQuit: () => undefined,
  }
}

/** Windows: checks again that the installer is the published one. */
class CheckedNsisUpdater extends NsisUpdater {
  protected override doInstall(options: InstallOptions): boolean {
    const sha512 = this.downloadedUpdateHelper?.downloadedFileInfo?.sha512
    if (this.installerPath === null || sha512 === undefined) throw new Error('nothing was downloaded')
    readPublished(this.installerPath, sha512, () => undefined)
    return super.doInstall(options)
  }
}

/** Linux: reads the list of versions for every kind of package, and installs an AppImage. */
class OneFileUpdater extends AppImageUpdater {
  readonly #image: AppImage | undefined
  readonly #args: readonly string[]

  constructor(app: AppAdapter, image: AppImage | undefined, args: readonly string[]) {
    super(null, app)
    this.#image = image
    this.#args = args
  }

  /** Also without an AppImage, to learn of newer versions. */
  override isUpdaterActive(): boolean {
    return true
  }

  /** Replaces the library's installation, which deletes the old file first and gives the new one another name. */
  protected override doInstall({ isForceRunAfter }: InstallOptions): boolean {
    const file = this.installerPath
    const version = this.updateInfoAndProvider?.info.version
    const sha512 = this.downloadedUpdateHelper?.downloadedFileInfo?.sha512
    if (this.#image === undefined || file === null || version === undefined || sha512 === undefined)
      throw new Error('nothing was downloaded')
    try {
      this.#image.replace(file, { version, sha512 })
    } finally {
      // If it failed, this starts the old file: without the app there are no alerts.
      if (isForceRunAfter) startAfterEnd(this.#image.path, this.#args)
    }
    return true
  }
}

/** The library does not check this part of the list. */
const notesSchema = v.union([v.string(), v.array(v.object({ note: v.nullish(v.string(), '') }))])

function foundUpdate({ version, releaseNotes }: { version: string; releaseNotes?: unknown }): FoundUpdate {
  const read = v.safeParse(notesSchema, releaseNotes)
  const notes = !read.success
    ? []
    : typeof read.output === 'string'
      ? [read.output]
      : read.output.map(({ note }) => note)
  const text = notes.slice(0, maxNotes).map((note) => note.slice(0, maxNotesLength))
  return { version: sanitizeText(version, 40), notes: plainNotes(text.join('\n')) }
}

/** Notes come from outside. Each line is sanitized as plain text, and headings lose their marks. */
function plainNotes(text: string): string {
  return text
    .slice(0, maxNotesLength)
    .split(/\r\n|[\n\r]/)
    .map((line) => sanitizeText(line.replace(/^#+ /, ''), maxNoteLineLength))
    .join('\n')
    .trim()
}
