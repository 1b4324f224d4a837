import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'
import type { AppBench } from './app-bench'
import { WatchPage } from './watch-page'

/** A run of the app without the switches that Playwright adds, for example the one that disables the keyring. */
export interface PlainApp {
  /** Process id of the main process. */
  pid: number
  child: ChildProcessWithoutNullStreams
  watch: WatchPage
  /** Resolves when the app has ended for any reason. */
  ended: Promise<unknown>
  /** Terminates the app as the system does. */
  quit: () => Promise<void>
}

/** Starts the app like a user and inspects its window through Chromium's debugging port. */
export async function launchPlainly(bench: AppBench, variables: Record<string, string> = {}): Promise<PlainApp> {
  const child = bench.spawn(['--remote-debugging-port=0'], {
    NODE_OPTIONS: '--require ./test/support/allow-hosts.cjs',
    ...variables,
  })
  child.stdout.resume()
  const ended = once(child, 'exit')
  let address: string | undefined
  for await (const line of createInterface(child.stderr)) {
    address = /DevTools listening on (\S+)/.exec(line)?.[1]
    if (address !== undefined) break
  }
  child.stderr.resume()
  const { pid } = child
  if (address === undefined || pid === undefined) throw new Error('the app ended before its window opened')
  const browser = await chromium.connectOverCDP(address)
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('the app has no window')
  const page =
    context.pages()[0] ??
    (await context.waitForEvent('page').catch((error: unknown) => {
      child.kill('SIGKILL')
      throw error
    }))
  return {
    pid,
    child,
    watch: new WatchPage(page),
    ended,
    quit: async () => {
      child.kill()
      await ended
      await browser.close()
    },
  }
}
