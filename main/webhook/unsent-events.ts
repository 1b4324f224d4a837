import * as v from 'valibot'
import { eventSchema, type AlertEvent } from '../../core/alert-events'
import type { JsonFile } from '../base/json-file'
import type { Webhooks } from './webhooks'

/** The result that an event waits for. */
type Channel = 'webhookResult' | 'secondChannel'

/** The address is not stored, because it may be secret. */
const unsentSchema = v.object({
  events: v.array(v.object({ event: eventSchema, channel: v.picklist(['webhookResult', 'secondChannel']) })),
})

interface Options {
  file: JsonFile
  clock: { wallMs(): number }
  webhooks: Pick<Webhooks, 'send' | 'unsent'>
  /** The address that an event goes to now. Undefined if there is none any more. */
  addressOf: (event: AlertEvent, channel: Channel) => string | undefined
  /** Called with the result in words. */
  onResult: (eventId: string, result: { webhookResult: string } | { secondChannel: string }) => void
}

/** An alert about an older moment would mislead. */
const maxAgeMs = 3_600_000

/** Keeps what webhooks did not get before the app ended, and sends it at the next start. */
export class UnsentEvents {
  readonly #options: Options
  /** What an earlier run kept was taken. */
  #isTaken = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Call after the webhooks are disposed. Resolves when all is on the disk. */
  async keep(): Promise<void> {
    const { file, webhooks, addressOf } = this.#options
    const events = webhooks.unsent.map(({ event, address }) => {
      const channel: Channel = addressOf(event, 'webhookResult') === address ? 'webhookResult' : 'secondChannel'
      return { event, channel }
    })
    if (events.length === 0) return
    const earlier = this.#isTaken ? [] : await this.#read()
    await file.write({ events: [...earlier, ...events] })
  }

  /** Sends what was kept, once. Call when the alerts can be read. */
  async send(): Promise<void> {
    const { file, clock, webhooks, addressOf, onResult } = this.#options
    if (this.#isTaken) return
    this.#isTaken = true
    const kept = await this.#read()
    if (kept.length === 0) return
    // First, so that a crash cannot make them go out twice.
    const cleared = await file.write({ events: [] })
    if (!cleared.ok) return
    for (const { event, channel } of kept) {
      const note = (words: string) => onResult(event.id, { [channel]: words } as Parameters<typeof onResult>[1])
      const address = addressOf(event, channel)
      if (address === undefined || address === '') continue
      if (clock.wallMs() - event.recordedAtMs <= maxAgeMs) webhooks.send(event, address, note)
      else note('Not sent: the app was closed for more than an hour')
    }
  }

  async #read() {
    const read = await this.#options.file.read()
    const kept = v.safeParse(unsentSchema, 'value' in read ? read.value : undefined)
    return kept.success ? kept.output.events : []
  }
}
