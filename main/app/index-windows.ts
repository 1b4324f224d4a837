import { done, failure, ok, type IndexId, type Outcome } from '../../core/model'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { Json } from '../../protocol/json'
import type { WindowState, WindowUpdate } from '../../protocol/desktop'
import { does } from '../features/feature'
import type { IndexPages } from '../features/index-page'
import type { PageFeed, PageSources } from './page-feed'
import { createIndexFeed } from './pages'

const maxWindows = 8
const tooMany = failure(
  'tooManyWindows',
  `${maxWindows} indices are open in windows of their own. Close one of these windows first.`,
)
const notOpen = failure('notOpen', 'This window is closed.')

/** One window of the desktop. */
interface Shown {
  show: () => void
  dispose: () => void
  send: (update: Json<WindowUpdate>) => void
}

export interface IndexWindowEvents {
  onVisibility: (isVisible: boolean) => void
  onPageGone: () => void
  onClosed: () => void
}

interface Options {
  sources: () => PageSources
  indexPages: Pick<IndexPages, 'createPage' | 'chart'>
  /** Opens a window. Returns undefined while the app has no desktop. */
  open: (wanted: WantedWindow, events: IndexWindowEvents) => Shown | undefined
  /** Called when the set of open windows has changed. */
  onOpen: (ids: readonly IndexId[]) => void
  showMain: (address: string) => void
}

export interface WantedWindow {
  id: IndexId
  /** A point of the screen in device-independent pixels. Where it was last, by default. */
  at?: { x: number; y: number } | undefined
  takesFocus: boolean
}

interface Opened {
  window: Shown
  feed: PageFeed
  close: () => void
}

/** The windows of single indices. Each has a page, a chart and a feed of its own. */
export class IndexWindows {
  readonly #options: Options
  readonly #opened = new Map<IndexId, Opened>()

  constructor(options: Options) {
    this.#options = options
  }

  readonly commands = {
    openIndexWindow: ({ indexId: id, at }) => this.#openOrShow({ id, at, takesFocus: true }),
    getIndexSnapshot: ({ indexId }) => {
      const opened = this.#opened.get(indexId)
      return opened === undefined ? notOpen : ok(opened.feed.snapshot())
    },
    followInWindow: does(({ indexId, indexIds }) => {
      if (!this.#opened.has(indexId)) return
      this.#options.indexPages.chart.follow(indexIds, windowOf(indexId))
    }),
    closeIndexWindow: does(({ indexId }) => this.#opened.get(indexId)?.close()),
    showInMainWindow: does(({ address }) => this.#options.showMain(address)),
  } satisfies Partial<CommandHandlers>

  /** Opens the windows of the last run. */
  restore(ids: readonly IndexId[]): void {
    for (const id of new Set(ids)) this.#open({ id, takesFocus: false })
  }

  push(patch: Partial<WindowState>): void {
    for (const { feed } of this.#opened.values()) feed.push(patch)
  }

  /** Another service's values follow. */
  restart(): void {
    for (const { feed } of this.#opened.values()) feed.restart()
  }

  /** The windows stay remembered as open. */
  dispose(): void {
    for (const { window, feed } of this.#opened.values()) {
      feed.dispose()
      window.dispose()
    }
    this.#opened.clear()
  }

  #openOrShow(wanted: WantedWindow): Outcome<null> {
    const opened = this.#opened.get(wanted.id)
    if (opened !== undefined) {
      opened.window.show()
      return done
    }
    const answer = this.#open(wanted)
    if (answer.ok) this.#changed()
    return answer
  }

  #open(wanted: WantedWindow): Outcome<null> {
    const { id } = wanted
    if (this.#opened.size >= maxWindows) return tooMany
    const { indexPages, sources, open } = this.#options
    const inWindow = windowOf(id)
    const { page, slice: openedSlice } = indexPages.createPage(inWindow)
    const feed = createIndexFeed(sources(), { id, inWindow, openedSlice, chart: indexPages.chart }, (update) =>
      window?.send(update),
    )
    const end = () => {
      this.#opened.delete(id)
      feed.dispose()
      page.close()
      this.#changed()
    }
    // As a preview: at a start it waits until the provider has accepted the key.
    page.open(id, true)
    const window = open(wanted, {
      onVisibility: (isVisible) => feed.watch(isVisible),
      onPageGone: () => indexPages.chart.follow([], inWindow),
      onClosed: end,
    })
    if (window === undefined) {
      feed.dispose()
      page.close()
      return notOpen
    }
    const close = () => {
      window.dispose()
      end()
    }
    this.#opened.set(id, { window, feed, close })
    return done
  }

  #changed(): void {
    this.#options.onOpen([...this.#opened.keys()])
  }
}

function windowOf(id: IndexId): string {
  return `index ${id}`
}
