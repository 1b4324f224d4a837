import type { Outcome } from '../../protocol/model'
import { verdictOn } from './close-codes'
import { decodeFrame } from './decode'
import type { StepLimit } from './reach'
import { FeedSocket, type FeedEndpoint } from './socket'
import { feedTiming } from './timing'

const infoNotAnswered: Outcome<never> = {
  ok: false,
  problem: {
    code: 'timedOut',
    message:
      'The service did not say which indices it has. Values may come all the same; if they do not, check the WebSocket address.',
  },
}

/** One connection to a stream, to find out whether it works. Whoever makes one closes it. */
export class FeedProbe {
  readonly #endpoint: FeedEndpoint
  readonly #limit: StepLimit
  #socket: FeedSocket | undefined
  #ended: Outcome<never> | undefined
  #answer: (streams: Outcome<number>) => void = () => undefined

  constructor(endpoint: FeedEndpoint, limit: StepLimit) {
    this.#endpoint = endpoint
    this.#limit = limit
  }

  /** The problem says what the user can do about it. */
  open(): Promise<Outcome<null>> {
    const { clock, timeoutMs } = this.#limit
    return new Promise((resolve) => {
      this.#socket = new FeedSocket(this.#endpoint, { ...feedTiming, handshakeTimeoutMs: timeoutMs }, clock, {
        opened: () => {
          resolve({ ok: true, value: null })
        },
        message: (text) => {
          const frame = decodeFrame(text)
          if (frame.kind === 'streams') this.#answer({ ok: true, value: frame.streams.length })
        },
        heard: () => undefined,
        ended: (end) => {
          this.#ended = { ok: false, problem: { code: end.kind, message: verdictOn(end).problem } }
          resolve(this.#ended)
          this.#answer(this.#ended)
        },
      })
    })
  }

  /** How many streams the service lists. */
  countStreams(): Promise<Outcome<number>> {
    const { clock, timeoutMs } = this.#limit
    if (this.#ended !== undefined) return Promise.resolve(this.#ended)
    return new Promise((resolve) => {
      const cancel = clock.after(timeoutMs, () => {
        resolve(infoNotAnswered)
      })
      this.#answer = (streams) => {
        cancel()
        resolve(streams)
      }
      this.#socket?.send(JSON.stringify({ type: 'info' }))
    })
  }

  close(): void {
    this.#socket?.close()
  }
}
