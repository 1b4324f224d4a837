import type { DecimalText, IndexId } from '../../core/model'
import { maxCompared } from '../../protocol/responses'

export const viewNames = ['watchlist', 'indices', 'alerts', 'assistants', 'settings'] as const
type ViewName = (typeof viewNames)[number] | 'compare' | 'fixing'

export interface Place {
  view: ViewName
  /** Which watchlist; the first one when absent. */
  listId?: string
  /** Which part of the settings, or of the indices. */
  part?: string
  /** What is compared, in its order. */
  compared?: IndexId[]
  /** The daily rate whose fixing sheet is open. */
  fixing?: IndexId
  /** The index that a notification or a link opens. */
  indexId?: IndexId
  /** The tool of a service that a link opens, and what it is about: an argument's name and its text. */
  tool?: { name: string; about?: { name: string; text: string } }
  /** The dialog of a new alert that a link opens, and what it is filled in with. */
  newAlert?: { indexId?: IndexId; level?: DecimalText }
}

/** Reads the part of the address after `#`; the watchlist when it names no view. */
function readPlace(hash: string): Place {
  const [name, rest, level] = hash.replace(/^#/, '').split('/')
  if (name === 'new-alert') {
    const newAlert = {
      ...(rest && { indexId: decodeURIComponent(rest) }),
      ...(level && { level: decodeURIComponent(level) }),
    }
    return { view: 'watchlist', newAlert }
  }
  if (name === 'index' && rest) return { view: 'watchlist', indexId: decodeURIComponent(rest) }
  if (name === 'fixing' && rest) return { view: name, fixing: decodeURIComponent(rest) }
  if (name === 'compare') {
    const ids = (rest ?? '').split(',').filter(Boolean).map(decodeURIComponent)
    return { view: 'compare', compared: [...new Set(ids)].slice(0, maxCompared) }
  }
  if (name === 'assistants' && rest) {
    const [argument, text] = (level ?? '').split('=')
    const about = argument && text ? { name: argument, text: decodeURIComponent(text) } : undefined
    return { view: name, tool: { name: decodeURIComponent(rest), ...(about && { about }) } }
  }
  const view = viewNames.find((known) => known === name) ?? 'watchlist'
  if ((view === 'settings' || view === 'indices') && rest) return { view, part: rest }
  return view === 'watchlist' && rest ? { view, listId: decodeURIComponent(rest) } : { view }
}

/** The address of a list, from its `#`. */
export function placeOfList({ id }: { id: string }): string {
  return `#watchlist/${encodeURIComponent(id)}`
}

/** The address of a tool of a service, filled in with what it is about, from its `#`. */
export function placeOfTool(tool: string, { name, text }: { name: string; text: string }): string {
  return `#assistants/${encodeURIComponent(tool)}/${name}=${encodeURIComponent(text)}`
}

/** The address where indices are compared, from its `#`; more than can be are left out. */
export function placeOfComparison(ids: readonly IndexId[]): string {
  return `#compare/${ids.slice(0, maxCompared).map(encodeURIComponent).join(',')}`
}

/** The address of the fixing sheet of a daily rate, from its `#`. */
export function placeOfFixing(id: IndexId): string {
  return `#fixing/${encodeURIComponent(id)}`
}

/** Which view is open. It lives in the address, so it survives a reload. */
export class Route {
  place = $state.raw(readPlace(location.hash))

  /** What to open was taken from the address: without it there the same can be opened again. */
  arrived(): void {
    history.replaceState(null, '', '#watchlist')
    this.place = readPlace(location.hash)
  }

  /** Follows the address; `onMove` is called at every move by the user. Returns the way to stop. */
  start(onMove: (from: Place, to: Place) => void): () => void {
    const follow = () => {
      const from = this.place
      this.place = readPlace(location.hash)
      onMove(from, this.place)
    }
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }
}
