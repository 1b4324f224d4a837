/** One attempt of the feed in a process whose trust the environment decides. Says how it ended, or that it opened. */
import { SystemClock } from '../../main/base/clock'
import { FeedSocket } from '../../main/feed/socket'

const [url = ''] = process.argv.slice(2)
const endpoint = { url, keyId: 'reader', keySecret: 'correct horse' }
const socket = new FeedSocket(endpoint, { handshakeTimeoutMs: 60_000, closeTimeoutMs: 1 }, new SystemClock(), {
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
