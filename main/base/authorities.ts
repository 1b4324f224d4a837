import tls from 'node:tls'
import type { Worker } from 'node:worker_threads'
import { withTimeout, type Clock } from './clock'
import type { Log } from './log'

/** The start waits this long for the store. Certificates that arrive later are trusted when they arrive. */
const maxWaitMs = 3_000

interface Options {
  startThread: () => Worker
  clock: Clock
  log: Log
}

/**
 * Makes all connections of this thread trust the system's certificate store in addition to Node's. A company that
 * inspects TLS has its own authority there. Resolves when the store was read, failed or timed out. Before Node 24.5,
 * Electron trusts Node's certificates only.
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
  await withTimeout(answered, { clock, timeoutMs: maxWaitMs }, () => undefined)
}
