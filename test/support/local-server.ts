import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Listens on this machine until the test ends. Returns the port. */
export async function listenInTest(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections?.()
  })
  return (server.address() as AddressInfo).port
}
