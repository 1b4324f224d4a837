import { randomUUID } from 'node:crypto'
import type { Notice } from '../../protocol/desktop'

/** Messages in the window, each until it is dismissed or the app ends. */
export class Notices {
  readonly #onChange: (notices: Notice[]) => void
  #all: Notice[] = []

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

  dismiss(noticeId: string): void {
    this.#set(this.#all.filter((notice) => notice.id !== noticeId))
  }

  #set(notices: Notice[]): void {
    this.#all = notices
    this.#onChange(notices)
  }
}
