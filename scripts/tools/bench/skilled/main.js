// @ts-check
// The skilled twin is the same list by an engineer who knows what is dear, without history, alerts and a framework. It
// sends the newest value of each index once a frame.
import { join } from 'node:path'
import { app } from 'electron'
import { follow, idsOf, openWindow } from '../limits/feed.js'

/** @typedef {{ id: string, time: number, value: string }} Value */

const frameMs = 16
const decimal = /^-?(0|[1-9]\d*)(\.\d+)?$/
const ids = idsOf(Number(process.argv.at(-1)))

/** @param {unknown} message @returns {message is Value} */
function isValue(message) {
  if (typeof message !== 'object' || message === null) return false
  const { type, id, time, value } = /** @type {Record<string, unknown>} */ (message)
  const isTyped = type === 'value' && typeof id === 'string' && Number.isSafeInteger(time)
  return isTyped && typeof value === 'string' && decimal.test(value)
}

void app.whenReady().then(async () => {
  const window = await openWindow(join(import.meta.dirname, 'index.html'), ids, { isShown: true })
  /** @type {Map<string, Value>} */
  const waiting = new Map()
  follow(ids, (message) => {
    if (!isValue(message)) return
    if (waiting.size === 0)
      setTimeout(() => {
        window.webContents.send('push', [...waiting.values()])
        waiting.clear()
      }, frameMs)
    waiting.set(message.id, message)
  })
})
