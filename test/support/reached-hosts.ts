import type { RunningApp } from './app-bench'

/**
 * Records the hosts to which the main process connects after this call. Returns a function that gives them as
 * `host:port`.
 */
export async function hostsFromNowOn({ app }: RunningApp): Promise<() => Promise<string[]>> {
  await app.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seenHosts: seen })
    process.getBuiltinModule('node:diagnostics_channel').subscribe('net.client.socket', (message) => {
      const { socket } = message as { socket: import('node:net').Socket }
      socket.on('connectionAttempt', (address, port) => seen.push(`${address}:${port}`))
    })
  })
  return () => app.evaluate(() => (globalThis as unknown as { seenHosts: string[] }).seenHosts)
}
