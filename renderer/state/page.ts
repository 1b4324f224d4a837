import { createContext } from 'svelte'
import type { DesktopApi } from '../../protocol/commands/contract'
import { Actions } from './actions'
import { AlertActions } from './alert-actions'
import { Announcer } from './announcer.svelte'
import { AwayNews } from './away.svelte'
import { Charts } from './chart.svelte'
import { Dialogs } from './dialogs.svelte'
import { HistoryActions } from './history-actions'
import { IndexPanel } from './index-panel.svelte'
import { Mirror } from './mirror.svelte'
import { Recents } from './recents'
import { Route } from './route.svelte'
import { Toasts } from './toasts.svelte'

/** The parts of the page that live as long as it does. */
export interface Page {
  mirror: Mirror
  actions: Actions
  alertActions: AlertActions
  historyActions: HistoryActions
  route: Route
  recents: Recents
  panel: IndexPanel
  charts: Charts
  toasts: Toasts
  away: AwayNews
  dialogs: Dialogs
  announcer: Announcer
}

/** Runs something before the page is drawn next; answers the way to stop it. */
export function onNextFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(run)
  return () => {
    cancelAnimationFrame(frame)
  }
}

/** Builds the parts and connects them; nothing runs yet. */
export function createPage(api: DesktopApi): Page {
  const announcer = new Announcer()
  const toasts = new Toasts(announcer)
  const actions = new Actions(api, toasts)
  const alertActions = new AlertActions(api, toasts)
  const historyActions = new HistoryActions(api, toasts)
  const recents = new Recents()
  const panel = new IndexPanel(actions, announcer, recents)
  const dialogs = new Dialogs()
  const mirror = new Mirror(api, onNextFrame)
  const charts = new Charts(api, mirror)
  const route = new Route()
  const away = new AwayNews(api)
  return {
    mirror,
    actions,
    alertActions,
    historyActions,
    route,
    recents,
    panel,
    charts,
    toasts,
    away,
    dialogs,
    announcer,
  }
}

export const [getPage, setPage] = createContext<Page>()
