import type { Problem } from '../../core/model'
import type { Unsaved } from '../../protocol/unsaved'
import { ruleWords } from '../../core/alert-words'
import { formatCount, formatDecimal } from '../../core/decimal'
import type { AlertEngine } from '../alerts/engine'
import { snoozesKey } from '../alerts/records'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { Throttle } from '../base/throttle'
import type { SettingsStore } from '../storage/settings'
import type { HistoryStore } from '../history-store/history-store'

interface Options {
  clock: Clock
  settings: Pick<SettingsStore, 'unsaved' | 'events'>
  history: Pick<HistoryStore, 'unwritten' | 'events'>
  alerts: Pick<AlertEngine, 'views'>
  /** Shows the notice about unsaved changes, in place of the one before. Undefined clears it. */
  say: (message: string | undefined) => void
  onError: (error: unknown) => void
}

/** The notice names at most this many changes. */
const maxNamed = 6
/** Minimum time between two notices, because each event on a full disk changes the notice. */
const spacingMs = 250

/** Changes that were accepted but are not on the disk yet. Each owner reports its own, and a notice names them. */
export class UnsavedChanges {
  readonly events: Emitter<{ changed: Unsaved | null }>
  readonly #options: Options
  readonly #changes: Throttle
  #hasSaid = false

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
    this.#changes = new Throttle({
      clock: options.clock,
      spacingMs,
      run: () => {
        this.#say()
        this.events.emit('changed', this.view)
      },
    })
    const changed = () => this.#changes.request()
    options.settings.events.on('unsavedChanged', changed)
    options.history.events.on('unwrittenChanged', changed)
  }

  /** Null if nothing would be lost. */
  get view(): Unsaved | null {
    const { settings, history } = this.#options
    const { unsaved } = settings
    const { unwritten } = history
    const problem = this.#problem
    const count = this.#names().length + (unwritten?.events.size ?? 0)
    if (problem === undefined || count === 0) return null
    return {
      reason: wordsOf(problem).reason,
      count,
      preferences: unsaved?.preferences ?? [],
      lists: unsaved?.lists ?? [],
      connections: unsaved?.connections ?? [],
      alerts: [...(unwritten?.rules ?? [])],
      events: [...(unwritten?.events ?? [])],
    }
  }

  get #problem(): Problem | undefined {
    const { settings, history } = this.#options
    return settings.unsaved?.problem ?? history.unwritten?.problem
  }

  /** Names of the changes, without events of the inbox. */
  #names(): string[] {
    const { settings, history, alerts } = this.#options
    const { rules = new Set<string>(), documents = new Set<string>() } = history.unwritten ?? {}
    const views = rules.size === 0 ? [] : alerts.views().filter(({ id }) => rules.has(id))
    const goneCount = rules.size - views.length
    return [
      ...(settings.unsaved?.names ?? []),
      ...views.map((rule) => `alert ${ruleWords(rule, formatDecimal)}`),
      ...Array.from({ length: goneCount }, () => 'a deleted alert'),
      ...(documents.has(snoozesKey) ? ['muting of alerts'] : []),
    ]
  }

  /** A slow disk is reported only once, by the settings, because the changes are about to be saved. */
  #say(): void {
    const { say } = this.#options
    const { view } = this
    if (view === null) {
      if (this.#hasSaid) say('All changes are saved now.')
      this.#hasSaid = false
      return
    }
    const problem = this.#problem
    if (problem === undefined || problem.code === 'slowDisk') return
    this.#hasSaid = true
    const { length } = view.events
    const names = [
      ...this.#names(),
      ...(length === 0 ? [] : [length === 1 ? '1 inbox event' : `${formatCount(length)} inbox events`]),
    ]
    const more = names.length - maxNamed
    const named = names.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
    say(`Not saved because ${view.reason}: ${named}. ${wordsOf(problem).remedy}`)
  }
}

/** Text of the question at quit: `2 changes are not saved: the disk is full.` */
export function unsavedWords({ count, reason }: Unsaved): string {
  return `${count === 1 ? '1 change is' : `${formatCount(count)} changes are`} not saved: ${reason}.`
}

/** Why changes are not saved, and what the user can do. */
const words: Partial<Record<Problem['code'], { reason: string; remedy: string }>> = {
  diskFull: { reason: 'the disk is full', remedy: 'Free some space, and they will be saved automatically.' },
  readOnly: {
    reason: 'the disk is read-only',
    remedy: 'Make the disk writable, and they will be saved automatically.',
  },
  noPermission: {
    reason: 'there is no permission to write',
    remedy: 'Check the permissions of the data folder, and they will be saved automatically.',
  },
  slowDisk: { reason: 'the disk is slow', remedy: 'Saving is retried.' },
  inUse: { reason: 'another process uses the history', remedy: 'Saving is retried.' },
  newerVersion: {
    reason: 'the settings were written by a newer version',
    remedy: 'They are lost when Indexwatch quits.',
  },
  unreadable: { reason: 'the settings file could not be read', remedy: 'They are lost when Indexwatch quits.' },
}

function wordsOf({ code }: Problem) {
  return words[code] ?? { reason: 'the disk reports an error', remedy: 'Saving is retried.' }
}
