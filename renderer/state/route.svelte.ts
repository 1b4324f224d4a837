import type { DecimalText, IndexId } from '../../core/model'
import { maxCompared } from '../../protocol/responses'

export const viewNames = ['watchlist', 'indices', 'alerts', 'assistants', 'settings'] as const
type ViewName = (typeof viewNames)[number] | 'compare' | 'fixing'

export interface Place {
  view: ViewName
  /** The watchlist. The first one if undefined. */
  listId?: string
  /** The section of the settings, or `amendments` in the view `indices`. */
  part?: string
  /** The compared indices, in order. */
  compared?: IndexId[]
  /** The reference rate whose fixing sheet is open. */
  fixing?: IndexId
  /** The index that a notification or a link asks to open. */
  indexId?: IndexId
  /** The provider's tool that a link opens. `about` fills in one argument: its name and text. */
  tool?: { name: string; about?: { name: string; text: string } }
  /** A link asks for the dialog of a new alert, with these fields filled in. */
  newAlert?: { indexId?: IndexId; level?: DecimalText }
}

/** Reads the part of the address after `#`. Returns the watchlist if it names no view. */
function readPlace(hash: string): Place {
  const [name, rest, level] = hash.replace(/^#/, '').split('/')
  if (name === 'new-alert') {
    const [indexId, typed] = [rest, level].map((part) => (part ? decodeURIComponent(part) : undefined))
    return { view: 'watchlist', newAlert: { indexId, level: typed } }
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
    return { view: name, tool: { name: decodeURIComponent(rest), about } }
  }
  const view = viewNames.find((known) => known === name) ?? 'watchlist'
  if ((view === 'settings' || view === 'indices') && rest) return { view, part: rest }
  return view === 'watchlist' && rest ? { view, listId: decodeURIComponent(rest) } : { view }
}

/** The address of a watchlist, with its `#`. */
export function listAddress({ id }: { id: string }): string {
  return `#watchlist/${encodeURIComponent(id)}`
}

/** The address of a provider's tool with one argument filled in, with its `#`. */
export function toolAddress(tool: string, { name, text }: { name: string; text: string }): string {
  return `#assistants/${encodeURIComponent(tool)}/${name}=${encodeURIComponent(text)}`
}

/** The address of a comparison, with its `#`. Indices beyond `maxCompared` are left out. */
export function comparisonAddress(ids: readonly IndexId[]): string {
  return `#compare/${ids.slice(0, maxCompared).map(encodeURIComponent).join(',')}`
}

/** The address of the fixing sheet of a reference rate, with its `#`. */
export function fixingAddress(id: IndexId): string {
  return `#fixing/${encodeURIComponent(id)}`
}

/** The place on screen. It is stored in the address, so it survives a reload. */
export class Route {
  /** The watchlist seen last. An address that names none leads there. */
  #listId: string | undefined
  place = $state.raw(this.#read())

  /** Goes to an address, with or without its `#`. */
  go(address: string): void {
    location.hash = address
  }

  /** Removes an index or alert to open from the address, so that the same link works again. */
  arrived(): void {
    history.replaceState(null, '', '#watchlist')
    this.place = this.#read()
  }

  /** Follows the address and calls `onMove` after each change. Returns a function that stops it. */
  start(onMove: (from: Place, to: Place) => void): () => void {
    const follow = () => {
      const from = this.place
      this.place = this.#read()
      onMove(from, this.place)
    }
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }

  #read(): Place {
    const place = readPlace(location.hash)
    if (place.view !== 'watchlist') return place
    this.#listId = place.listId ?? this.#listId
    return { ...place, listId: this.#listId }
  }
}
