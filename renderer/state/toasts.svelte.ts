import type { WindowState } from '../../protocol/desktop'
import type { Announcer } from './announcer.svelte'
import type { Place } from './route.svelte'

export interface Toast {
  text: string
  isError: boolean
  undo?: () => void
  /** Ctrl+Z undoes the change also when the toast is gone. */
  isLasting?: boolean
  /** Whether the text still holds. Undefined if it always does. */
  isStillTrue?: (state: WindowState) => boolean
  /** The view that shows the same. The toast is announced there but not shown. */
  repeatedIn?: Place['view']
}

const shownForMs = 8_000
const maxSteps = 50

/** Shows one short message at a time about the user's last action, and undoes the last ones in turn. */
export class Toasts {
  readonly #announcer: Announcer
  current = $state.raw<Toast>()
  /** The changes that can be undone, the last one at the end. */
  #steps: readonly Toast[] = []
  #hasBeenTrue = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(announcer: Announcer) {
    this.#announcer = announcer
  }

  show(text: string, undo?: () => void, options: Pick<Toast, 'isStillTrue' | 'repeatedIn'> = {}): void {
    this.#put({ text, isError: false, undo, ...options })
  }

  /** Shows a change of a list. Ctrl+Z undoes it also when the toast is gone. */
  showChange(text: string, undo: () => void, isStillTrue: (state: WindowState) => boolean = () => true): void {
    this.#put({ text, isError: false, undo, isStillTrue, isLasting: true })
  }

  /** Announces a change of a list that the user sees at once, without a toast. Ctrl+Z undoes it. */
  announceChange(text: string, undo: () => void): void {
    this.#announcer.say(text)
    this.#addStep({ text, isError: false, undo, isLasting: true })
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
    const gone = this.current
    this.current = undefined
    if (gone?.isLasting !== true) this.#steps = this.#steps.filter((step) => step !== gone)
  }

  /** Undoes the change of the toast, or by default the last change. */
  undo(step = this.#steps.at(-1)): void {
    if (step?.undo === undefined) return
    this.#steps = this.#steps.filter((other) => other !== step)
    const wasShown = this.current === step
    if (wasShown) this.dismiss()
    step.undo()
    if (!wasShown) this.show(`Undone: ${step.text}`)
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
    this.dismiss()
    this.current = toast
    if (toast.undo !== undefined) this.#addStep(toast)
    this.#hasBeenTrue = false
    this.#announcer.say(toast.text)
    this.release()
  }

  #addStep(step: Toast): void {
    this.#steps = [...this.#steps, step].slice(-maxSteps)
  }
}
