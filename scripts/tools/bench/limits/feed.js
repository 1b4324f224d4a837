// @ts-check
/** The bare minimum of an app on the bench's service: its indices, its socket and its window. */
import { join } from 'node:path'
import { BrowserWindow } from 'electron'
import { WebSocket } from 'ws'

const { INDEXWATCH_WS_URL: url = '', INDEXWATCH_KEY_ID: keyId, INDEXWATCH_KEY_SECRET: secret } = process.env

/** The first ids of the service. @param {number} count */
export const idsOf = (count) => Array.from({ length: count }, (_, at) => `INDEX${String(at + 1).padStart(4, '0')}`)

/**
 * Subscribes to values and calls `onMessage` with each parsed message.
 * @param {readonly string[]} ids
 * @param {(message: unknown) => void} onMessage
 */
export function follow(ids, onMessage) {
  const socket = new WebSocket(url, { auth: `${keyId}:${secret}`, perMessageDeflate: false })
  socket.on('open', () => {
    for (const id of ids) socket.send(JSON.stringify({ type: 'subscribe', stream: 'value', id }))
  })
  socket.on('message', (/** @type {Buffer} */ data) => onMessage(JSON.parse(data.toString())))
}

/**
 * A window as large as the app's.
 * @param {string} page
 * @param {readonly string[]} ids
 * @param {{ isShown: boolean }} options
 */
export async function openWindow(page, ids, { isShown }) {
  const preload = join(import.meta.dirname, 'twin-preload.cjs')
  const window = new BrowserWindow({ width: 1280, height: 820, show: isShown, webPreferences: { preload } })
  await window.loadFile(page, { query: { ids: ids.join() } })
  return window
}
