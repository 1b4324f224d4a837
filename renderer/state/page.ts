import { createContext } from 'svelte'
import type { DesktopApi } from '../../protocol/commands/contract'
import { Actions } from './actions'
import { createApi, createPerform, type Api, type Perform } from './api'
import { Announcer } from './announcer.svelte'
import { AwayNews } from './away.svelte'
import { Charts } from './chart.svelte'
import { Dialogs } from './dialogs.svelte'
import { IndexPanel } from './index-panel.svelte'
import { ListActions } from './list-actions.svelte'
import { Mirror } from './mirror.svelte'
import { Recents } from './recents'
import { Route } from './route.svelte'
import { Toasts } from './toasts.svelte'

/** The parts of the page that exist as long as it does. Their fields are changed only by their own methods. */
export interface Page {
  mirror: Readonly<Mirror>
  /** The window's commands. For callers that show a refusal themselves. */
  api: Api
  /** Runs a command and shows a refusal as a toast. */
  perform: Perform
  actions: Actions
  route: Readonly<Route>
  recents: Recents
  panel: Readonly<IndexPanel>
  charts: Charts
  toasts: Readonly<Toasts>
  away: Readonly<AwayNews>
  dialogs: Readonly<Dialogs>
  listActions: Readonly<ListActions>
  announcer: Readonly<Announcer>
}

/** Runs `run` before the next frame. Returns a function that cancels it. */
export function onNextFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

/** Creates the parts and connects them. Starts nothing. */
export function createPage(desktop: DesktopApi): Page {
  const announcer = new Announcer()
  const toasts = new Toasts(announcer)
  const api = createApi(desktop)
  const perform = createPerform(api, toasts)
  const actions = new Actions(api, toasts)
  const recents = new Recents()
  const dialogs = new Dialogs(perform, toasts)
  const mirror = new Mirror(api, onNextFrame)
  const panel = new IndexPanel(perform, announcer, recents, mirror)
  const charts = new Charts(api, mirror)
  const route = new Route()
  const away = new AwayNews(api)
  const listActions = new ListActions({ mirror, route, perform, actions, dialogs, toasts, announcer })
  return {
    mirror,
    api,
    perform,
    actions,
    route,
    recents,
    panel,
    charts,
    toasts,
    away,
    dialogs,
    listActions,
    announcer,
  }
}

export const [getPage, setPage] = createContext<Page>()
