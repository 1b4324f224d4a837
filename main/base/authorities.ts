import tls from 'node:tls'
import type { Worker } from 'node:worker_threads'
import { within, type Clock } from './clock'
import type { Log } from './log'

/** A store that does not answer is not waited for; what it answers later counts from then on. */
const maxWaitMs = 3_000

interface Options {
  startThread: () => Worker
  clock: Clock
  log: Log
}

/**
 * Has whatever leaves this thread trust the authorities of the system's store beside Node's own: a company that looks into
 * connections has one there. Done when it does, or when that cannot be waited for. An Electron whose Node cannot (before
 * 24.5) trusts Node's own alone.
 */
export async function trustSystemAuthorities({ startThread, clock, log }: Options): Promise<void> {
  if (!('setDefaultCACertificates' in tls)) return
  const answered = new Promise<void>((resolve) => {
    const failed = (error: unknown): void => {
      log.warn("The system's certificates could not be read", { error: String(error) })
      resolve()
    }
    const thread = startThread()
    thread.once('error', failed)
    thread.once('message', (certificates: string[]) => {
      try {
        tls.setDefaultCACertificates([...new Set([...tls.getCACertificates('default'), ...certificates])])
      } catch (error) {
        failed(error)
        return
      }
      log.info("The system's certificates are trusted", { count: certificates.length })
      resolve()
    })
  })
  await within(answered, { clock, timeoutMs: maxWaitMs }, () => undefined)
}
