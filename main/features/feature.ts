import type { Worker } from 'node:worker_threads'
import { done, ok, type Outcome, type Settings, type Subscription } from '../../core/model'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { WindowState } from '../../protocol/desktop'
import { toJson, type Json } from '../../protocol/json'
import type { Clock } from '../base/clock'
import type { Emitter } from '../base/emitter'
import type { Log } from '../base/log'
import type { DecimalSign } from '../base/region'
import type { Routes } from '../base/routes'
import type { FileDialogs } from '../desktop/file-dialogs'
import type { Notices } from '../ipc/notices'
import type { SettingsStore } from '../storage/settings'
import type { UnfinishedFiles } from '../storage/unfinished-files'
import type { HistoryStore } from '../history-store/history-store'
import type { NewHosts } from './new-hosts'

/** What every feature gets. */
export interface Core {
  clock: Clock
  log: Log
  appVersion: string
  /** The profile's folder. */
  folder: string
  settings: SettingsStore
  history: HistoryStore
  routes: Routes
  dialogs: FileDialogs
  unfinished: UnfinishedFiles
  /** The sign of the system's region. Call it once Electron is ready. */
  decimalSign: () => DecimalSign
  newHosts: NewHosts
  events: Emitter<CoreEvents>
  /** Texts that the log removes. Secrets in use are added. */
  hidden: Set<string>
  redact: (text: string) => string
  newId: () => string
  /** Starts a built module in a thread of its own. */
  startThread: (name: string, workerData?: unknown) => Worker
  notices: Notices
  /** Shows the user a message once, in the window and in the log. */
  notice: (message: string) => void
  onError: (error: unknown) => void
}

export interface CoreEvents {
  /** The features' subscriptions have changed. */
  wantedChanged: null
  /** Pages must ask for a snapshot, because too much has changed. */
  resync: null
}

/** A part of the window's state. */
export interface Slice<State extends Partial<WindowState> = Partial<WindowState>> {
  now: () => State
  /** Calls `changed` after each change of the part. Returns its unsubscribe. */
  follow: (changed: () => void) => (() => void) | undefined
}

export function slice<State extends Partial<WindowState>, Events extends object>(
  now: () => State,
  events?: Emitter<Events>,
  name?: keyof Events,
): Slice<State> {
  return {
    now,
    follow: (changed) => (name === undefined ? undefined : events?.on(name, changed)),
  }
}

/** A part of the app: its commands, its part of the window's state, and its reactions. */
export interface Feature {
  readonly commands?: Partial<CommandHandlers>
  readonly slices?: readonly Slice[]
  /** Subscribes to other features. Called once, after all features are created. */
  follow?(): void
  /** The subscriptions it needs. */
  wanted?(): readonly Subscription[]
  /** Called when the settings are read, and after each change. */
  settingsChanged?(settings: Settings): void
  /** Called when the computer wakes up. */
  woke?(sleptMs: number): void
  /** Called in the order of the features. */
  dispose?(): Promise<void> | void
}

/** A feature with members that other features use. */
export type SharedFeature = Feature & Readonly<Record<string, unknown>>

/** A command without an answer. */
export function does<Args>(run: (args: Args) => unknown): (args: Args) => Promise<Outcome<null>> {
  return async (args) => {
    await run(args)
    return done
  }
}

/** The answer of a command as JSON. */
export async function asJson<T>(answer: Promise<Outcome<T>>): Promise<Outcome<Json<T>>> {
  const found = await answer
  return found.ok ? ok(toJson(found.value)) : found
}
