import { utilityProcess, type UtilityProcess } from 'electron'
import * as v from 'valibot'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { restartLimit, type CallLimit } from '../base/call-limit'

/** What the demo service sends when it listens. */
const addressSchema = v.object({
  ws: v.string(),
  rest: v.string(),
  mcp: v.string(),
  keyId: v.string(),
  keySecret: v.string(),
})
export type DemoAddress = v.InferOutput<typeof addressSchema>

interface Options {
  modulePath: string
  clock: Clock
  log: Log
  /** Called when the service listens, at first and after each restart. */
  onListening: (address: DemoAddress) => void
  /** Called when it ended too often to be restarted. */
  onGivenUp: () => void
}

/**
 * The built-in demo service in a process of its own. It is restarted when it ends, at most three times in ten minutes.
 */
export class DemoProcess {
  readonly #options: Options
  readonly #ends: CallLimit
  #process: UtilityProcess | undefined

  constructor(options: Options) {
    this.#options = options
    this.#ends = restartLimit(options.clock)
  }

  start(): void {
    const { modulePath, log, onListening, onGivenUp } = this.#options
    const child = utilityProcess.fork(modulePath, [], { serviceName: 'Indexwatch demo service', stdio: 'inherit' })
    this.#process = child
    child.on('message', (message: unknown) => {
      const address = v.safeParse(addressSchema, message)
      if (address.success) onListening(address.output)
      else log.error('The demo service said something unexpected')
    })
    child.on('exit', (code) => {
      if (this.#process !== child) return
      this.#process = undefined
      log.error('The demo service ended', { code })
      if (this.#ends.admit().ok) this.start()
      else onGivenUp()
    })
  }

  dispose(): void {
    const child = this.#process
    this.#process = undefined
    child?.kill()
  }
}
