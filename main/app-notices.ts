import { randomUUID } from 'node:crypto'
import type { Notice } from '../protocol/desktop'
import type { AlertEngine } from './alerts/engine'
import type { Values } from './app-values'
import type { JsonRead } from './base/json-file'
import type { Log } from './base/log'
import type { ConstituentBases } from './index-page/constituent-bases'
import type { Secrets } from './storage/secrets'
import type { SettingsStore } from './storage/settings'

export const notKeptNotice =
  'Settings, alerts and values are kept until the app ends: the folder they belong in cannot be written to. Check whom it belongs to.'

export const crashedNotice =
  'The window crashed several times in a row. Values and alerts went on meanwhile; if it happens again, start Indexwatch anew.'

/** What to say about the file of last values after reading it; nothing when all is well. */
export function cacheNotice({ file, read }: { file: string; read: JsonRead['kind'] }): string | undefined {
  if (read !== 'restored' && read !== 'lost') return undefined
  const rest = read === 'restored' ? 'The last good copy is in use.' : 'The values fill in as they arrive.'
  return `The file of last values ${file} could not be read and was set aside beside it. ${rest}`
}

/** What the user should read once, until it is dismissed or the app ends. */
export class Notices {
  readonly #onChange: (notices: Notice[]) => void
  #all: Notice[] = []

  constructor(onChange: (notices: Notice[]) => void) {
    this.#onChange = onChange
  }

  all(): Notice[] {
    return this.#all
  }

  /** The same sentence stands there once. */
  add(message: string): void {
    if (this.#all.some((notice) => notice.message === message)) return
    this.#set([...this.#all, { id: randomUUID(), message }])
  }

  dismiss(noticeId: string): void {
    this.#set(this.#all.filter((notice) => notice.id !== noticeId))
  }

  #set(notices: Notice[]): void {
    this.#all = notices
    this.#onChange(notices)
  }
}

/** Passes on what the parts want the user to read. */
export function relayNotices(
  parts: {
    settings: SettingsStore
    secrets: Secrets
    alerts: AlertEngine
    bases: ConstituentBases
    values: Values
    notices: Notices
  },
  log: Log,
): void {
  const add = (message: string) => {
    log.warn('Notice', { message })
    parts.notices.add(message)
  }
  parts.settings.events.on('notice', add)
  parts.secrets.events.on('notice', add)
  parts.alerts.events.on('notice', add)
  parts.bases.events.on('notice', add)
  parts.values.watchClock(add)
}
