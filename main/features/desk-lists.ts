import * as v from 'valibot'
import { readMessage, writeMessage, type DeskList } from '../../core/desk'
import { listChangeWords, sharedPart } from '../../core/list-lines'
import { done, failure, ok, type ListOnDesk, type Outcome, type Settings, type Watchlist } from '../../core/model'
import { isSame } from '../../core/same'
import { deskId } from '../../core/settings-schema'
import type { DeskView } from '../../protocol/desk'
import { timeText } from '../base/user-time'
import type { DeskLink, Entry } from '../desk/link'
import { markList, receiveList } from '../lists/list-changes'
import type { SettingsChange } from '../storage/settings'
import type { Core } from './feature'

interface Options extends Pick<Core, 'clock' | 'newId' | 'settings' | 'notice'> {
  /** Undefined while the desk is not connected. */
  link: () => DeskLink | undefined
  /** The name of this seat's user. */
  user: () => string
  onChanged: () => void
}

type Step = (settings: Settings) => SettingsChange<unknown>

/** A change that came second. It can be done once more on top of the first one. */
interface Refused {
  id: string
  listId: string
  words: string
  step: Step
}

/** A list before and after a change. Undefined if it was not there. */
interface Edit {
  was: Watchlist | undefined
  is: Watchlist | undefined
}

const offline = failure('notConnected', 'The desk is not connected. Its lists can be changed when it is.')
const readOnly = failure(
  'notAllowed',
  'The desk’s server does not let you change its lists. Ask whoever runs it to allow “list” for your user.',
)
const newer = failure(
  'newerVersion',
  'A newer version of Indexwatch wrote this list of the desk. Update this one to change the list.',
)

function keyOf(id: string): string {
  return `list.${id}`
}

/**
 * The lists of the desk. They are part of the settings, so they stay as last known without a server. A change of one is
 * done here once the server has taken it. Of two changes at once the second is refused.
 */
export class DeskLists {
  readonly #options: Options
  /** The newest known entry by its id, also of a deleted list. */
  readonly #revisions = new Map<string, number>()
  readonly #newer = new Set<string>()
  #refused: readonly Refused[] = []
  /** By the id on the desk, the list here that no longer is on the desk. It may come back. */
  readonly #formerIds = new Map<string, string>()
  readonly #told = new Set<string>()
  #begunAtMs = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  get #lists(): readonly Watchlist[] {
    return this.#options.settings.get().watchlists
  }

  view(): DeskView['lists'] {
    const refused = this.#refused.filter(({ listId }) => this.#lists.some(({ id }) => id === listId))
    return { refused: refused.map(({ id, listId, words }) => ({ id, listId, words })), newerIds: [...this.#newer] }
  }

  /** Receives the lists of a desk, and their changes from now on. Resolves with the function that ends it. */
  async follow(link: DeskLink): Promise<Outcome<() => void>> {
    this.#revisions.clear()
    this.#newer.clear()
    const begun = await link.kept().begunAtMs()
    if (!begun.ok) return begun
    this.#begunAtMs = begun.value
    const following = await link.kept().follow('list.>', (entry) => void this.#inTurn(() => this.#take(entry)))
    if (!following.ok) return following
    const all = await link.kept().all('list.>')
    if (!all.ok) {
      following.value()
      return all
    }
    const there = new Set(all.value.map(({ key }) => key))
    await this.#inTurn(async () => {
      for (const entry of all.value) await this.#take(entry)
      // One that is known by now has come since.
      const isGone = ({ id }: ListOnDesk) => !there.has(keyOf(id)) && !this.#revisions.has(id)
      await this.#release((mark) => mark.begunAtMs !== begun.value || isGone(mark))
    })
    return following
  }

  /** Changes lists and pins. A change of a list of the desk is made if the server takes it. */
  change<T>(step: (settings: Settings) => SettingsChange<T>): Promise<Outcome<T>> {
    const { link, settings } = this.#options
    const isPlain = link() === undefined && this.#lists.every(({ desk }) => desk === undefined)
    return isPlain ? settings.change(step) : this.#inTurn(() => this.#change(step))
  }

  /** Gives every seat a list of the user's. */
  share(listId: string): Promise<Outcome<null>> {
    const { clock, newId, user } = this.#options
    if (this.#options.link() === undefined) return Promise.resolve(offline)
    const mark = { id: newId(), begunAtMs: this.#begunAtMs, by: user(), atMs: clock.wallMs() }
    return this.change((now) => markList(now, listId, mark))
  }

  /** Makes a list of the desk the user's own. */
  takeBack(listId: string): Promise<Outcome<null>> {
    return this.change((now) => markList(now, listId, undefined))
  }

  /** Makes a refused change on top of the one that came first, or drops it. It stays if it cannot be made. */
  async settle(id: string, isApplied: boolean): Promise<Outcome<null>> {
    const refused = this.#refused.find((each) => each.id === id)
    const changed = isApplied && refused !== undefined ? await this.change(refused.step) : done
    if (!changed.ok && changed.problem.code !== 'duplicate') return changed
    this.#refused = this.#refused.filter((each) => each.id !== id)
    this.#options.onChanged()
    return changed.ok ? done : changed
  }

  /** Makes all lists of the desk the user's own, on this seat. */
  leave(): Promise<void> {
    return this.#inTurn(() => this.#release(() => true, false))
  }

  /** Changes and messages come one after the other. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const running = this.#turn.then(run)
    this.#turn = running.catch(() => undefined)
    return running
  }

  async #change<T>(step: (settings: Settings) => SettingsChange<T>): Promise<Outcome<T>> {
    const { settings } = this.#options
    const before = settings.get()
    const planned = step(before)
    if (!planned.ok) return planned
    const { answer, settings: wanted } = planned.value
    if (wanted === before) return ok(answer)
    const taken = new Map<string, Watchlist>()
    const withTaken = (lists: readonly Watchlist[]) => lists.map((list) => taken.get(list.id) ?? list)
    for (const edit of editsOf(this.#lists, wanted.watchlists)) {
      const written = await this.#write(edit, step)
      if (written.ok && written.value !== 'again') {
        if (edit.is !== undefined) taken.set(edit.is.id, { ...edit.is, ...(edit.is.desk && { desk: written.value }) })
        continue
      }
      // The server has taken the change of the other list.
      if (taken.size > 0) await settings.set({ watchlists: withTaken(this.#lists) })
      return written.ok ? this.#change(step) : written
    }
    const { pinnedIds, watchlists } = wanted
    return settings.change((now) => ok({ settings: { ...now, pinnedIds, watchlists: withTaken(watchlists) }, answer }))
  }

  /** Tells the server. Resolves with the mark of the list now. `again`: what the change begins with is another one now. */
  async #write({ was, is }: Edit, step: Step): Promise<Outcome<ListOnDesk | 'again'>> {
    const { clock, link, user } = this.#options
    const mark = is?.desk ?? was?.desk
    const bucket = link()?.kept()
    if (mark === undefined || bucket === undefined) return offline
    if (this.#newer.has(mark.id)) return newer
    const revision = was?.desk && (this.#revisions.get(mark.id) ?? 1)
    const key = keyOf(mark.id)
    if (is?.desk === undefined) {
      const removed = await bucket.remove(key, revision ?? 1)
      if (removed.ok) return removed.value ? ok(mark) : this.#refuse({ was, is }, mark, step)
      return removed.problem.code === 'notAllowed' ? readOnly : removed
    }
    const author = { by: user(), atMs: clock.wallMs() }
    const put = await bucket.put(key, writeMessage('list', { list: sharedPart(is), ...author }), revision)
    if (!put.ok) return put.problem.code === 'notAllowed' ? readOnly : put
    if (put.value === undefined) return this.#refuse({ was, is }, mark, step)
    this.#revisions.set(mark.id, put.value)
    return ok({ ...mark, ...author })
  }

  /** Shows what came first, and keeps the change that came second. */
  async #refuse({ was, is }: Edit, mark: ListOnDesk, step: Step): Promise<Outcome<ListOnDesk | 'again'>> {
    const { clock, link, newId, onChanged, settings } = this.#options
    const found = await link()?.kept().get(keyOf(mark.id))
    if (found?.ok !== true) return found ?? offline
    if (found.value === undefined) {
      await this.#release(({ id }) => id === mark.id)
      return ok('again')
    }
    const isOld = found.value.revision <= (this.#revisions.get(mark.id) ?? 0)
    if (was === undefined || isOld)
      return failure('duplicate', 'Another seat changes this list at this moment. Try again.')
    const received = await this.#take(found.value)
    if (!received.ok) return received
    const first = this.#lists.find(({ desk }) => desk?.id === mark.id)
    const theirs = first === undefined ? '' : listChangeWords(was, first)
    if (first?.desk === undefined || theirs === '') return ok('again')
    const { by, atMs } = first.desk
    const when = timeText(atMs, clock.wallMs(), { precision: 'minute', timeZone: settings.get().timeZone })
    const yours =
      is?.desk === undefined ? (is === undefined ? 'deleted it' : 'made it yours') : listChangeWords(was, is)
    const words = `${by} changed this list at ${when}: ${theirs}. You: ${yours}.`
    this.#refused = [...this.#refused, { id: newId(), listId: first.id, words, step }]
    onChanged()
    return failure('duplicate', `${by} changed ${first.name} first. Above the list you can apply your change as well.`)
  }

  /** Problems: `newerVersion`, and those of a list that does not fit here. */
  async #take({ key, value, isDeleted, revision }: Entry): Promise<Outcome<null>> {
    const { onChanged } = this.#options
    const id = key.slice(keyOf('').length)
    if (!v.is(deskId, id) || revision <= (this.#revisions.get(id) ?? 0)) return done
    const read = readMessage('list', value)
    if (read.kind === 'newer' && !isDeleted) {
      this.#newer.add(id)
      onChanged()
      return newer
    }
    const received = read.kind === 'read' ? await this.#receive(id, read.value) : done
    if (!received.ok) {
      this.#tellOnce(`A list of the desk is not shown here as it is now. ${received.problem.message}`)
      return received
    }
    this.#revisions.set(id, revision)
    this.#newer.delete(id)
    if (isDeleted) await this.#release((mark) => mark.id === id)
    else if (read.kind !== 'read')
      this.#tellOnce('A list of the desk cannot be read. The next change of the list replaces it.')
    onChanged()
    return done
  }

  #tellOnce(message: string): void {
    if (this.#told.has(message)) return
    this.#told.add(message)
    this.#options.notice(message)
  }

  #receive(id: string, { list, by, atMs }: DeskList): Promise<Outcome<null>> {
    const { newId, settings } = this.#options
    const shared = sharedPart(list)
    const former = this.#formerIds.get(id) ?? id
    const isFormer = (each: Watchlist) => each.desk === undefined && isSame(sharedPart(each), shared)
    const held =
      this.#lists.find(({ desk }) => desk?.id === id) ??
      this.#lists.find((each) => each.id === former && isFormer(each))
    const ownId = held?.id ?? (this.#lists.some((each) => each.id === id) ? newId() : id)
    const desk = { id, begunAtMs: this.#begunAtMs, by, atMs }
    return settings.change((now) => receiveList(now, held, { ...shared, id: ownId, desk }))
  }

  /** Lists that left the desk stay here as the user's own. */
  async #release(hasLeft: (mark: ListOnDesk) => boolean, isTold = true): Promise<void> {
    const { notice, settings } = this.#options
    const gone = this.#lists.filter(({ desk }) => desk !== undefined && hasLeft(desk))
    for (const { id, name, desk } of gone) {
      if (desk !== undefined) this.#formerIds.set(desk.id, id)
      await settings.change((now) => markList(now, id, undefined))
      if (isTold) notice(`${name} is no longer on the desk. It stays here as yours.`)
    }
  }
}

/** The changes that the server must take. Lists that become longer come first, so that a moved row is never in none. */
function editsOf(before: readonly Watchlist[], after: readonly Watchlist[]): Edit[] {
  const [former, next] = [before, after].map((lists) => new Map(lists.map((list) => [list.id, list])))
  const ids = new Set([...before, ...after].map(({ id }) => id))
  const edits = [...ids].map((id) => ({ was: former?.get(id), is: next?.get(id) }))
  const growth = ({ was, is }: Edit) => (is?.entries.length ?? 0) - (was?.entries.length ?? 0)
  return edits.filter(concernsDesk).toSorted((one, other) => growth(other) - growth(one))
}

function concernsDesk({ was, is }: Edit): boolean {
  if (was === is || (was?.desk ?? is?.desk) === undefined) return false
  const isSameList = was !== undefined && is !== undefined && isSame(sharedPart(was), sharedPart(is))
  return !isSameList || (was.desk === undefined) !== (is.desk === undefined)
}
