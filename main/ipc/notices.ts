import { randomUUID } from 'node:crypto'
import type { Notice } from '../../protocol/desktop'
import { Emitter } from '../base/emitter'

/** Messages in the window. Each stays until it is dismissed or the app ends. */
export class Notices {
  readonly events: Emitter<{ changed: Notice[] }>
  #all: Notice[] = []
  /** The latest notice of each topic. */
  readonly #topics = new Map<string, Notice>()

  constructor(onError: (error: unknown) => void) {
    this.events = new Emitter(onError)
  }

  all(): Notice[] {
    return this.#all
  }

  /** A message that is already shown is not added again. */
  add(message: string): void {
    if (this.#all.some((notice) => notice.message === message)) return
    this.#set([...this.#all, { id: randomUUID(), message }])
  }

  /** Sets the only notice of a topic, or removes it. A dismissed one comes back when its message changes. */
  say(topic: string, message: string | undefined): void {
    const said = this.#topics.get(topic)
    if (said?.message === message) return
    const notice = message === undefined ? undefined : { id: randomUUID(), message }
    if (notice === undefined) this.#topics.delete(topic)
    else this.#topics.set(topic, notice)
    this.#set([...this.#all.filter((each) => each !== said), ...(notice === undefined ? [] : [notice])])
  }

  dismiss(noticeId: string): void {
    this.#set(this.#all.filter((notice) => notice.id !== noticeId))
  }

  #set(notices: Notice[]): void {
    this.#all = notices
    this.events.emit('changed', notices)
  }
}
