import { createContext } from 'svelte'
import type { DesktopApi } from '../../protocol/desktop'
import { Actions } from './actions'
import { Announcer } from './announcer.svelte'
import { Mirror } from './mirror.svelte'
import { Route } from './route.svelte'
import { Toasts } from './toasts.svelte'

/** The parts of the page that live as long as it does. */
export interface Page {
  mirror: Mirror
  actions: Actions
  route: Route
  toasts: Toasts
  announcer: Announcer
}

/** Builds the parts and connects them; nothing runs yet. */
export function createPage(api: DesktopApi): Page {
  const announcer = new Announcer()
  const toasts = new Toasts(announcer)
  return { mirror: new Mirror(api), actions: new Actions(api, toasts), route: new Route(), toasts, announcer }
}

export const [getPage, setPage] = createContext<Page>()
