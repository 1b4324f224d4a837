import type { ChangeBase } from '../../core/preferences'
import { PastValues } from '../../main/quotes/past-values'
import { FakeClock } from './fake-clock'

/** Past values on a clock that the test moves. `use` chooses another base of changes. */
export function openPastValues(base: ChangeBase, startMs: number) {
  const clock = new FakeClock(startMs)
  let changeBase = base
  const use = (next: ChangeBase) => {
    changeBase = next
  }
  return { clock, pastValues: new PastValues({ clock, changeBase: () => changeBase }), use }
}
