/**
 * One connection attempt of the feed in a process whose trusted certificates come from the environment. With a second
 * argument it also trusts the system's store. Prints how the attempt ended, or that it opened.
 */
import { Worker } from 'node:worker_threads'
import { trustSystemAuthorities } from '../../main/base/authorities'
import { SystemClock } from '../../main/base/clock'
import { FeedSocket } from '../../main/feed/socket'
import { childProgram } from './child-programs'

const [url = '', store] = process.argv.slice(2)
const clock = new SystemClock()
if (store === 'system') {
  const ignore = () => undefined
  const log = { info: ignore, warn: ignore, error: ignore }
  const startThread = () => new Worker(childProgram('authorities-worker'))
  await trustSystemAuthorities({ startThread, clock, log })
}
const endpoint = { url, keyId: 'reader', keySecret: 'correct horse' }
const socket = new FeedSocket(endpoint, { handshakeTimeoutMs: 60_000, closeTimeoutMs: 1 }, clock, {
  opened: () => {
    process.stdout.write('opened')
    socket.close()
  },
  message: () => undefined,
  onActivity: () => undefined,
  ended: (end) => {
    process.stdout.write('code' in end ? `${end.kind} ${end.code}` : end.kind)
  },
})
