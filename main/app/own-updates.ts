/** Decides whether and where this start looks for newer versions. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { Log } from '../base/log'
import { argumentsOfRestart, isDevelopment, type LaunchOptions } from '../desktop/launch-options'
import { does, slice, type Core, type SharedFeature } from '../features/feature'
import { AppImage } from '../updates/app-image'
import { appImagePath, packageKind } from '../updates/package-kind'
import { Updates, updateServer } from '../updates/updates'

/** Address of the updates, given at build time. Empty if this build has none. */
declare const __UPDATE_URL__: string

/** The AppImage that the app runs from. Undefined if it runs from something else or nothing can be saved. */
export function runningAppImage(canSave: boolean, log: Log): AppImage | undefined {
  const path = appImagePath(process)
  if (path === undefined || !canSave || !existsSync(path)) return undefined
  const recordPath = join(app.getPath('userData'), 'update.json')
  return new AppImage({ path, version: app.getVersion(), recordPath, log })
}

/** Message about an update that the last exit failed to install. Undefined if there is none. */
export function notInstalled(image: AppImage | undefined): string | undefined {
  const failed = image?.failed
  return failed && `Indexwatch ${failed.version} was not installed. This version stays. ${failed.why}`
}

interface Start {
  launch: LaunchOptions
  image: AppImage | undefined
}

/** Newer versions of the app. A start that must not look for them has an inactive feature. */
export function createUpdates(
  { clock, log, routes }: Pick<Core, 'clock' | 'log' | 'routes'>,
  { launch, image }: Start,
) {
  const updates = lookForUpdates({ clock, log, routes, launch, image })
  return {
    start: () => updates?.start(),
    installAtEnd: () => updates?.installAtEnd(),
    slices: [slice(() => ({ update: updates?.state }), updates?.events, 'changed')],
    commands: {
      // The result appears in the window's state.
      checkForUpdates: does(() => void updates?.check()),
      restartToUpdate: does(() => updates?.restart()),
    } satisfies Partial<CommandHandlers>,
    dispose: () => updates?.dispose(),
  } satisfies SharedFeature
}

type Looking = Pick<Core, 'clock' | 'log' | 'routes'> & Start

function lookForUpdates({ launch, clock, log, image, routes }: Looking): Updates | undefined {
  const version = app.getVersion()
  const given = isDevelopment({ env: process.env, isPackaged: app.isPackaged })
    ? process.env['INDEXWATCH_UPDATE_URL']
    : undefined
  const isWatch = launch.watch !== undefined
  const server = updateServer({ address: given ?? __UPDATE_URL__, version, isDemo: launch.isDemo, isWatch })
  if (!server.ok) log.error('Newer versions are not looked for', { problem: server.problem.message })
  if (!server.ok || server.value === undefined) return undefined
  const url = server.value
  const kind = packageKind(process)
  const quit = () => app.quit()
  return new Updates({
    clock,
    random: Math.random,
    log,
    installs: kind !== 'other',
    refusedVersion: image?.refused?.version,
    notInstalled: notInstalled(image),
    quit,
    loadEngine: async () => {
      const { createEngine } = await import('../updates/engine')
      return createEngine({
        url,
        version,
        kind,
        image,
        args: argumentsOfRestart(process.argv),
        log,
        routes,
        quit,
        configPath: join(app.isPackaged ? process.resourcesPath : app.getPath('userData'), 'app-update.yml'),
      })
    },
  })
}
