import type { CommandAnswer, CommandArguments, CommandHandlers, CommandName } from '../../protocol/commands/contract'
import { SentEntries } from '../../main/ipc/sent-entries'
import * as lists from '../../main/lists/list-changes'
import type { SettingsChange } from '../../main/storage/settings'
import type { EntryChanges, WindowSnapshot, WindowState, WindowUpdate } from '../../protocol/desktop'
import { toJson, type Json } from '../../protocol/json'
import type { Outcome, Settings } from '../../core/model'
import type { ProblemCode } from '../../core/problems'
import type { AlertView } from '../../core/alerts'
import { levelDraft, ruleView } from './sample-alerts'
import { sampleOpened } from './sample-opened'

export interface RecordedCall {
  name: CommandName
  args: unknown
}

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

export function refused(code: ProblemCode, message: string, field?: string): Outcome<never> {
  return { ok: false, problem: { code, message, ...(field !== undefined && { field }) } }
}

/** A long command: `run` waits until `cancel` ends it without a result. */
export function cancellable(): { run: () => Promise<Outcome<null>>; cancel: () => Outcome<null> } {
  let end: (outcome: Outcome<null>) => void = () => undefined
  return {
    run: () => new Promise((resolve) => (end = resolve)),
    cancel: () => {
      end(ok(null))
      return ok(null)
    },
  }
}

/**
 * A fake main process. Pushes updates, records every command and answers with its handlers. Rejects a command without a
 * handler.
 */
export class FakeDesktop {
  readonly calls: RecordedCall[] = []
  handlers: Partial<CommandHandlers>
  #snapshot: WindowSnapshot
  readonly #send: (update: Json<WindowUpdate>) => Promise<void> | void

  /** `send` hands an update to the page. */
  constructor(
    snapshot: WindowSnapshot,
    send: (update: Json<WindowUpdate>) => Promise<void> | void,
    handlers: Partial<CommandHandlers> = {},
  ) {
    this.#send = send
    this.#snapshot = structuredClone(snapshot)
    this.handlers = { getSnapshot: () => ok(toJson(this.#snapshot)), ...handlers }
  }

  get snapshot(): WindowSnapshot {
    return this.#snapshot
  }

  /** Calls of one command, in order. */
  callsOf(name: CommandName): unknown[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.args)
  }

  /**
   * Pushes the next update, and later snapshots contain it. Lists are given whole and sent as changes. `skip` is how
   * many update numbers to leave out first.
   */
  async push(
    {
      state = {},
      ...change
    }: Partial<Omit<WindowUpdate, 'number' | 'state' | 'lists'>> & { state?: Partial<WindowState> },
    { skip = 0 } = {},
  ): Promise<void> {
    const old = this.#snapshot
    const { alerts, inbox, ...documents } = state
    const lists = {
      ...(alerts !== undefined && { alerts: changesOf(old.state.alerts, alerts) }),
      ...(inbox !== undefined && { inbox: changesOf(old.state.inbox, inbox) }),
    }
    const update: WindowUpdate = {
      quotes: [],
      rows: [],
      ...change,
      state: documents,
      lists,
      number: old.number + 1 + skip,
    }
    const pushed = new Set(update.quotes.map(({ id }) => id))
    const listed = new Set(update.rows.map(({ id }) => id))
    this.#snapshot = {
      number: update.number,
      quotes: [...old.quotes.filter(({ id }) => !pushed.has(id)), ...update.quotes],
      rows: [...old.rows.filter(({ id }) => !listed.has(id)), ...update.rows],
      state: { ...old.state, ...state },
    }
    await this.pushAsIs(update)
  }

  /** Pushes exactly this update, whatever its number. */
  async pushAsIs(update: WindowUpdate): Promise<void> {
    await this.#send(toJson(update))
  }

  /** Answers a command as the page sends it. */
  async invoke<N extends CommandName>(name: N, args: CommandArguments<N>): Promise<Outcome<CommandAnswer<N>>> {
    this.calls.push({ name, args })
    const handler = this.handlers[name]
    if (handler === undefined) throw new Error(`the fake has no handler for ${name}: give it one`)
    return handler(args)
  }
}

function changesOf<T extends { id: string }>(before: readonly T[], now: readonly T[]): EntryChanges<T> {
  const sent = new SentEntries<T>()
  sent.begin(before)
  return sent.takeChanges(now, Infinity) ?? { put: [], removed: [] }
}

const sampleAbout = {
  electron: '45.5.0',
  site: 'https://indexwatch.example',
  dataFolder: '/home/kim/.config/Indexwatch',
  licence: 'MIT License\n\nCopyright (c) 2026',
  notice: 'Indexwatch contains the work of others.\n\nsvelte 5.57.3 (MIT)',
}

/** Makes commands change the snapshot and push the change, as the app does. */
export function makeWork(fake: FakeDesktop): void {
  const deletedAlerts: AlertView[] = []
  let madeLists = 0
  // As the schema of the command does.
  const trimmed = <T extends { name: string }>(args: T): T => ({ ...args, name: args.name.trim() })
  const change = async <T>(step: (settings: Settings) => SettingsChange<T>): Promise<Outcome<T>> => {
    const changed = step(fake.snapshot.state.settings)
    if (!changed.ok) return changed
    await fake.push({ state: { settings: changed.value.settings } })
    return ok(changed.value.answer)
  }
  const endProposal = async (proposalId: string) => {
    const { assistants } = fake.snapshot.state
    const proposals = assistants.proposals.filter(({ id }) => id !== proposalId)
    await fake.push({ state: { assistants: { ...assistants, proposals } } })
    return ok(null)
  }
  fake.handlers = {
    ...fake.handlers,
    getExportProgress: () => ok(null),
    cancelExport: () => ok(null),
    getAmendments: () => ok(toJson({ amendments: [] })),
    getRevisions: () => ok(toJson({ values: [] })),
    getMembership: () => ok(toJson({ changes: [], hasMore: false })),
    getAwayReport: () => ok(null),
    dismissAway: async () => {
      await fake.push({ state: { away: null } })
      return ok(null)
    },
    getHistorySize: () => ok({ bytes: 12_300_000 }),
    getAbout: () => ok(sampleAbout),
    getAssistantSetup: () => ok({ command: '/opt/Indexwatch/indexwatch', args: ['mcp'] }),
    addIndex: (args) => change((now) => lists.addIndex(now, args)),
    removeRows: (args) => change((now) => lists.removeRows(now, args)),
    moveRows: (args) => change((now) => lists.moveRows(now, args)),
    nameSection: (args) => change((now) => lists.nameSection(now, trimmed(args), `section-${++madeLists}`)),
    undoRows: (args) => change((now) => lists.undoRows(now, args)),
    setResolution: (args) => change((now) => lists.setResolution(now, args)),
    createList: (args) => change((now) => lists.createList(now, trimmed(args), `made-${++madeLists}`)),
    renameList: (args) => change((now) => lists.renameList(now, trimmed(args))),
    removeList: (args) => change((now) => lists.removeList(now, args)),
    restoreList: (args) => change((now) => lists.restoreList(now, args)),
    moveList: (args) => change((now) => lists.moveList(now, args)),
    arrangeList: (args) => change((now) => lists.arrangeList(now, args)),
    setPinned: (args) => change((now) => lists.setPinned(now, args)),
    copyText: () => ok(null),
    saveListTable: () => ok({ fileName: 'watchlist.csv' }),
    getChart: ({ indexId, range }) => ok(toJson({ indexId, range, points: [], gapAfterMs: 10_000 })),
    getKnownChart: ({ indexId, range }) => ok(toJson({ indexId, range, points: [], gapAfterMs: 10_000 })),
    getIndexEvents: () => ok(toJson([])),
    followIndices: () => ok(null),
    getLatestValues: () => ok([]),
    previewAlert: () => ok({ problems: [], isMet: false }),
    testAlert: ({ fromMs, toMs }) => {
      return ok({ fromMs, toMs, valueCount: 0, fires: [], notKnown: [{ fromMs, toMs }], series: [] })
    },
    getAlertTestProgress: () => ok(null),
    cancelAlertTest: () => ok(null),
    explainAlertAt: () => ok(toJson({ kind: 'notYet' as const })),
    setPreferences: async (preferences) => {
      await fake.push({ state: { settings: { ...fake.snapshot.state.settings, ...preferences } } })
      return ok(null)
    },
    markInboxRead: async () => {
      await fake.push({ state: { inbox: fake.snapshot.state.inbox.map((event) => ({ ...event, isRead: true })) } })
      return ok(null)
    },
    deleteAlert: async ({ ruleId }) => {
      deletedAlerts.push(...fake.snapshot.state.alerts.filter(({ id }) => id === ruleId))
      await fake.push({ state: { alerts: fake.snapshot.state.alerts.filter(({ id }) => id !== ruleId) } })
      return ok(null)
    },
    restoreAlert: async ({ ruleId }) => {
      const alerts = [...deletedAlerts.filter(({ id }) => id === ruleId), ...fake.snapshot.state.alerts]
      await fake.push({ state: { alerts } })
      return ok(alerts[0] ?? ruleView(ruleId, levelDraft()))
    },
    makeSpreadsheetToken: async () => {
      await fake.push({ state: { spreadsheets: { ...fake.snapshot.state.spreadsheets, hasToken: true } } })
      return ok({ token: 'q7Zt0c5kXw2mPp8aVnB4rJ1yLdEoSgUhTfIiQxMbCzA' })
    },
    acceptProposal: ({ proposalId }) => endProposal(proposalId),
    declineProposal: ({ proposalId }) => endProposal(proposalId),
    dismissNotice: async ({ noticeId }) => {
      await fake.push({ state: { notices: fake.snapshot.state.notices.filter(({ id }) => id !== noticeId) } })
      return ok(null)
    },
    openIndex: async ({ indexId }) => {
      await fake.push({ state: { opened: sampleOpened(indexId) } })
      return ok(null)
    },
    // An update cannot remove a field, so a skipped number makes the page ask for the whole snapshot.
    closeIndex: async () => {
      delete fake.snapshot.state.opened
      await fake.push({}, { skip: 1 })
      return ok(null)
    },
    learnCodes: () => ok(null),
    openIndexWindow: () => ok(null),
    getIndexSnapshot: () => ok(toJson(fake.snapshot)),
    followInWindow: () => ok(null),
    closeIndexWindow: () => ok(null),
    showInMainWindow: () => ok(null),
    reconnect: () => ok(null),
  }
}
