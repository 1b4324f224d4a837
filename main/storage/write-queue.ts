import type { Outcome } from '../../protocol/model'

/**
 * One write at a time. Of what comes in while one is running only the last is written, and its outcome answers for all
 * of them.
 */
export class WriteQueue {
  readonly #save: (text: string) => Promise<Outcome<null>>
  #nextText = ''
  #next: Promise<Outcome<null>> | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** `save` answers its errors as values. */
  constructor(save: (text: string) => Promise<Outcome<null>>) {
    this.#save = save
  }

  write(text: string): Promise<Outcome<null>> {
    this.#nextText = text
    if (this.#next === undefined) {
      this.#next = this.#last.then(() => {
        this.#next = undefined
        return this.#save(this.#nextText)
      })
      this.#last = this.#next
    }
    return this.#next
  }
}
