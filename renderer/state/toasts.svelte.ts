import type { WindowState } from '../../protocol/desktop'
import type { Announcer } from './announcer.svelte'
import type { Place } from './route.svelte'

export interface Toast {
  text: string
  isError: boolean
  undo?: () => void
  /** Whether the text still holds. Undefined if it always does. */
  isStillTrue?: (state: WindowState) => boolean
  /** The view that shows the same. The toast is announced there but not shown. */
  repeatedIn?: Place['view']
}

const shownForMs = 8_000

/** Shows one short message at a time about the user's last action. */
export class Toasts {
  readonly #announcer: Announcer
  current = $state.raw<Toast>()
  #hasBeenTrue = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(announcer: Announcer) {
    this.#announcer = announcer
  }

  show(text: string, undo?: () => void, options: Pick<Toast, 'isStillTrue' | 'repeatedIn'> = {}): void {
    this.#put({
      text,
      isError: false,
      ...(undo === undefined ? {} : { undo }),
      ...options,
    })
  }

  /** Shows a failure, which stays until it is dismissed. */
  fail(text: string): void {
    this.#put({ text, isError: true })
    this.hold()
  }

  /** Dismisses a toast whose text held and no longer does. The text may begin to hold after the toast is shown. */
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

  /** Stops the timer, such as while the pointer is on the toast. */
  hold(): void {
    clearTimeout(this.#timer)
  }

  /** Restarts the timer. */
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
