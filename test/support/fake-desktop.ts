import type { Page } from '@playwright/test'
import {
  commandNames,
  toJson,
  type CommandAnswer,
  type CommandArguments,
  type CommandHandlers,
  type CommandName,
  type WindowSnapshot,
  type WindowUpdate,
} from '../../protocol/desktop'
import type { Outcome } from '../../protocol/model'
import { sampleOpened } from './sample-opened'

export interface RecordedCall {
  name: CommandName
  args: unknown
}

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

export function refused(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}

/** Runs inside the page before its scripts: the two primitives of the real transport, invoke and subscribe. */
function pageScript(names: readonly string[]): string {
  return `
    const listeners = new Set()
    window.pushFromFake = (update) => { for (const listener of listeners) listener(update) }
    window.indexwatch = {
      onUpdate: (listener) => { listeners.add(listener); return () => listeners.delete(listener) },
      ...Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, (args) => window.invokeFake(name, args)])),
    }`
}

/**
 * The main process as a page sees it, without Electron: pushes what it is told to, records every command and answers
 * with the handlers given. A command without a handler rejects and says so.
 */
export class FakeDesktop {
  readonly calls: RecordedCall[] = []
  handlers: Partial<CommandHandlers>
  #snapshot: WindowSnapshot
  readonly #page: Page

  private constructor(page: Page, snapshot: WindowSnapshot, handlers: Partial<CommandHandlers>) {
    this.#page = page
    this.#snapshot = structuredClone(snapshot)
    this.handlers = { getSnapshot: () => ok(toJson(this.#snapshot)), ...handlers }
  }

  /** Must be called before the page is opened. */
  static async install(
    page: Page,
    snapshot: WindowSnapshot,
    handlers: Partial<CommandHandlers> = {},
  ): Promise<FakeDesktop> {
    const fake = new FakeDesktop(page, snapshot, handlers)
    await page.exposeFunction('invokeFake', (name: CommandName, args: never) => fake.#invoke(name, args))
    await page.addInitScript({ content: pageScript(commandNames) })
    return fake
  }

  get snapshot(): WindowSnapshot {
    return this.#snapshot
  }

  /** Calls of one command, in order. */
  callsOf(name: CommandName): unknown[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.args)
  }

  /** Pushes the next update; later snapshots contain it. `skip` leaves out that many numbers first. */
  async push(change: Partial<Omit<WindowUpdate, 'number'>>, { skip = 0 } = {}): Promise<void> {
    const update: WindowUpdate = {
      quotes: [],
      rows: [],
      state: {},
      ...change,
      number: this.#snapshot.number + 1 + skip,
    }
    const old = this.#snapshot
    const pushed = new Set(update.quotes.map(({ id }) => id))
    const told = new Set(update.rows.map(({ id }) => id))
    this.#snapshot = {
      number: update.number,
      quotes: [...old.quotes.filter(({ id }) => !pushed.has(id)), ...update.quotes],
      rows: [...old.rows.filter(({ id }) => !told.has(id)), ...update.rows],
      state: { ...old.state, ...update.state },
    }
    await this.pushAsIs(update)
  }

  /** Pushes exactly this, whatever its number. */
  async pushAsIs(update: WindowUpdate): Promise<void> {
    await this.#page.evaluate(`window.pushFromFake(${JSON.stringify(toJson(update))})`)
  }

  async #invoke<N extends CommandName>(name: N, args: CommandArguments<N>): Promise<Outcome<CommandAnswer<N>>> {
    this.calls.push({ name, args })
    const handler = this.handlers[name]
    if (handler === undefined) throw new Error(`the fake has no handler for ${name}: give it one in this test`)
    return handler(args)
  }
}

/** A fake whose lists behave: commands change the settings and the change is pushed, as the app does it. */
export async function installWorkingFake(page: Page, snapshot: WindowSnapshot): Promise<FakeDesktop> {
  const fake = await FakeDesktop.install(page, snapshot)
  const pushEntries = async (
    change: (entries: WindowSnapshot['state']['settings']['watchlists'][number]['entries']) => void,
  ) => {
    const settings = structuredClone(fake.snapshot.state.settings)
    const list = settings.watchlists[0]
    if (list !== undefined) change(list.entries)
    await fake.push({ state: { settings } })
  }
  fake.handlers = {
    ...fake.handlers,
    addIndex: async ({ indexId, position, maxResolution = 'PER_SECOND' }) => {
      await pushEntries((entries) => {
        entries.splice(position ?? entries.length, 0, { id: indexId, maxResolution })
      })
      return ok({ wasThere: false })
    },
    removeIndex: async ({ indexId }) => {
      let position = 0
      await pushEntries((entries) => {
        position = entries.findIndex(({ id }) => id === indexId)
        entries.splice(position, 1)
      })
      return ok({ position })
    },
    setResolution: async ({ indexId, maxResolution }) => {
      await pushEntries((entries) => {
        for (const entry of entries) if (entry.id === indexId) entry.maxResolution = maxResolution
      })
      return ok(null)
    },
    getChart: ({ indexId, range }) => ok(toJson({ indexId, range, points: [], gapAfterMs: 10_000 })),
    getLatestValues: () => ok([]),
    previewAlert: () => ok({ problems: [], isMet: false }),
    setPreferences: async (preferences) => {
      await fake.push({ state: { settings: { ...fake.snapshot.state.settings, ...preferences } } })
      return ok(null)
    },
    markInboxRead: async () => {
      await fake.push({ state: { inbox: fake.snapshot.state.inbox.map((event) => ({ ...event, isRead: true })) } })
      return ok(null)
    },
    deleteAlert: async ({ ruleId }) => {
      await fake.push({ state: { alerts: fake.snapshot.state.alerts.filter(({ id }) => id !== ruleId) } })
      return ok(null)
    },
    dismissNotice: async ({ noticeId }) => {
      await fake.push({ state: { notices: fake.snapshot.state.notices.filter(({ id }) => id !== noticeId) } })
      return ok(null)
    },
    openIndex: async ({ indexId }) => {
      await fake.push({ state: { opened: sampleOpened(indexId) } })
      return ok(null)
    },
    // An update cannot tell that something is absent: the page is made to ask again.
    closeIndex: async () => {
      delete fake.snapshot.state.opened
      await fake.push({}, { skip: 1 })
      return ok(null)
    },
    reconnect: () => ok(null),
  }
  return fake
}
