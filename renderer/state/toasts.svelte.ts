import type { WindowState } from '../../protocol/desktop'
import type { Announcer } from './announcer.svelte'

export interface Toast {
  text: string
  isError: boolean
  undo?: () => void
  /** Absent: what it says stays true. */
  isStillTrue?: (state: WindowState) => boolean
}

const shownForMs = 8_000

/** One short message at a time, about what the user just did. */
export class Toasts {
  readonly #announcer: Announcer
  current = $state.raw<Toast>()
  #hasBeenTrue = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(announcer: Announcer) {
    this.#announcer = announcer
  }

  show(text: string, undo?: () => void, isStillTrue?: (state: WindowState) => boolean): void {
    this.#put({
      text,
      isError: false,
      ...(undo === undefined ? {} : { undo }),
      ...(isStillTrue === undefined ? {} : { isStillTrue }),
    })
  }

  /** A failure stays until it is dismissed. */
  fail(text: string): void {
    this.#put({ text, isError: true })
    this.hold()
  }

  /** Dismisses what was true and is not any more. It may become so only after the message. */
  follow(state: WindowState): void {
    const isTrue = this.current?.isStillTrue?.(state)
    if (isTrue === false && this.#hasBeenTrue) this.dismiss()
    else this.#hasBeenTrue ||= isTrue === true
  }

  dismiss(): void {
    clearTimeout(this.#timer)
    this.current = undefined
  }

  undo(): void {
    const undo = this.current?.undo
    if (undo === undefined) return
    this.dismiss()
    undo()
  }

  /** Keeps the message while it is looked at. */
  hold(): void {
    clearTimeout(this.#timer)
  }

  /** Lets the time run again after `hold`. */
  release(): void {
    clearTimeout(this.#timer)
    if (this.current?.isError === false) {
      this.#timer = setTimeout(() => this.dismiss(), shownForMs)
    }
  }

  #put(toast: Toast): void {
    this.current = toast
    this.#hasBeenTrue = false
    this.#announcer.say(toast.text)
    this.release()
  }
}
