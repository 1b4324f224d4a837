/** The window shows everything, the ticker and the windows of single indices a part of it. */
import { noAssistants } from '../../protocol/assistants'
import type { WindowState, WindowUpdate } from '../../protocol/desktop'
import { tickerList } from '../../protocol/glance'
import type { Json } from '../../protocol/json'
import { formulaParts } from '../../core/formula-id'
import type { IndexId, Settings } from '../../core/model'
import type { Slice } from '../features/feature'
import { listedEntries } from '../features/lists'
import { PageFeed, type PageSources } from './page-feed'

type Send = (update: Json<WindowUpdate>) => void

interface Opened {
  page: { id?: IndexId | undefined }
  chart: { follows: (id: IndexId, inWindow?: string) => boolean }
}

/** Rows are those of the lists, the alerts and the open page. Pushes each received value of the indices in charts. */
export function createWindowFeed(sources: PageSources, { page, chart }: Opened, send: Send): PageFeed {
  const rowIds = () => {
    const listed = listedEntries(sources.settings.get()).map(({ id }) => id)
    return new Set([...listed, ...sources.alerts.indexIds(), ...(page.id === undefined ? [] : [page.id])])
  }
  const draws = (id: IndexId) => chart.follows(id)
  return new PageFeed(sources, { has: () => true, rowIds, draws, cut: (state) => state }, { send })
}

/** Indices publish at the same second. Collected, their values are one push and are drawn once. */
const collectMs = 250

/** Parts of the state that only the main window gets. */
const ofMainWindow = {
  tools: undefined,
  toolCalls: [],
  assistants: noAssistants,
  spreadsheets: { hasToken: false },
  notices: [],
  unsaved: null,
  away: null,
  secretsKept: {},
  awaitingKeyring: [],
  update: undefined,
} satisfies Partial<WindowState>

/** Parts of the state that the ticker's page does not get. */
const withheld = {
  ...ofMainWindow,
  connections: [],
  latePastVersion: 0,
  opened: undefined,
} satisfies Partial<WindowState>

/** The feed of the ticker. Call `settingsChanged` after each change of the settings. */
export function createTickerFeed(sources: PageSources, send: Send) {
  let ids: ReadonlySet<IndexId> = new Set()
  // Includes the parts of formulas, which decide whether a formula is stale.
  const chosenIds = () =>
    new Set(tickerList(sources.settings.get()).entries.flatMap(({ id }) => [id, ...formulaParts(id)]))
  const cut = <State extends Partial<WindowState>>(state: State): State => {
    const shown = without(withheld, state)
    if (shown.settings) shown.settings = tickerSettings(shown.settings)
    if (shown.catalogue) shown.catalogue = shown.catalogue.filter(({ id }) => ids.has(id))
    if (shown.alerts) shown.alerts = shown.alerts.filter(({ indexId }) => ids.has(indexId))
    if (shown.inbox) shown.inbox = shown.inbox.filter(({ indexId, isRead }) => !isRead && ids.has(indexId))
    return shown
  }
  const shown = { settle: () => (ids = chosenIds()), has: (id: IndexId) => ids.has(id), rowIds: () => ids, cut }
  const feed = new PageFeed({ ...sources, slices: slicesWithout(withheld, sources) }, shown, { send, collectMs })
  return {
    feed,
    settingsChanged(changed: Settings) {
      const chosen = chosenIds()
      // The ticker does not have the newly chosen indices yet.
      if (chosen.size !== ids.size || [...chosen].some((id) => !ids.has(id))) feed.resync()
      else feed.push({ settings: changed })
    },
  }
}

/** The feed of the window of one index. `openedSlice` is its page. */
export function createIndexFeed(
  sources: PageSources,
  { id, inWindow, openedSlice, chart }: { id: IndexId; inWindow: string; openedSlice: Slice } & Pick<Opened, 'chart'>,
  send: Send,
): PageFeed {
  const ids = [id, ...formulaParts(id)]
  const cut = <State extends Partial<WindowState>>(state: State): State => {
    const shown = without(ofMainWindow, state)
    if (shown.settings) shown.settings = { ...shown.settings, profiles: [] }
    if (shown.alerts) shown.alerts = shown.alerts.filter(({ indexId }) => indexId === id)
    if (shown.inbox) shown.inbox = shown.inbox.filter(({ indexId }) => indexId === id)
    return shown
  }
  const slices = slicesWithout({ ...ofMainWindow, opened: undefined }, sources)
  const state = () => ({ ...sources.state(), ...openedSlice.now() })
  const draws = (each: IndexId) => chart.follows(each, inWindow)
  return new PageFeed(
    { ...sources, slices: [...slices, openedSlice], state },
    { has: (each) => ids.includes(each) || draws(each), rowIds: () => ids, draws, cut },
    { send, collectMs },
  )
}

/** A state with empty values in place of the parts in `left`. */
function without<State extends Partial<WindowState>>(left: Partial<WindowState>, state: State): State {
  const names = Object.keys(state).filter((name) => name in left) as (keyof WindowState)[]
  return { ...state, ...Object.fromEntries(names.map((name) => [name, left[name]])) }
}

/** The slices from which something is left. Nothing is pushed for the others. */
function slicesWithout(left: Partial<WindowState>, { slices }: PageSources): Slice[] {
  return slices.filter(({ now }) => !Object.keys(now()).every((name) => name in left))
}

/** Preferences, with the ticker's indices as the only list. */
function tickerSettings(settings: Settings): Settings {
  return { ...settings, profiles: [], webhooks: [], watchlists: [tickerList(settings)] }
}
