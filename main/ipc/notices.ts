import { randomUUID } from 'node:crypto'
import type { Notice } from '../../protocol/desktop'

/** Messages in the window, each until it is dismissed or the app ends. */
export class Notices {
  readonly #onChange: (notices: Notice[]) => void
  #all: Notice[] = []
  /** By topic, as said last. */
  readonly #topics = new Map<string, Notice>()

  constructor(onChange: (notices: Notice[]) => void) {
    this.#onChange = onChange
  }

  all(): Notice[] {
    return this.#all
  }

  /** The same message is shown once. */
  add(message: string): void {
    if (this.#all.some((notice) => notice.message === message)) return
    this.#set([...this.#all, { id: randomUUID(), message }])
  }

  /** The one notice of a topic, in place of the one before. Dismissed, it comes back with another message. */
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
    this.#onChange(notices)
  }
}
