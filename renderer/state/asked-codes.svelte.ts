import { isCode } from '../../core/tickers'
import type { Commands } from './api'

/** Asks the provider once for the codes of its indices. Those found arrive in the catalogue, and searches find them. */
export class AskedCodes {
  #state = $state<'unknown' | 'asked' | 'known'>('unknown')

  /** `searched` returns the text of a search, and whether an index was found. Create it in a component. */
  constructor(api: Pick<Commands, 'learnCodes'>, searched: () => { text: string; hasFound: boolean }) {
    $effect(() => {
      const { text, hasFound } = searched()
      if (this.#state !== 'unknown' || hasFound || !isCode(text)) return
      this.#state = 'asked'
      void api.learnCodes({}).then(() => (this.#state = 'known'))
    })
  }

  /** Undefined while no answer is awaited. */
  get words(): string | undefined {
    return this.#state === 'asked' ? 'Asking the provider for the codes of its indices, one by one…' : undefined
  }
}
