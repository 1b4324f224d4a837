import { WebSocket } from 'ws'

/** The limit of a feed: a bare socket that parses and drops messages. Resolves when it is open. */
export async function openPlainFeed(url: string, onMessage: () => void): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise((opened, failed) => {
    socket.once('open', opened)
    socket.once('error', failed)
  })
  socket.on('message', (data: Buffer) => {
    JSON.parse(data.toString())
    onMessage()
  })
}
