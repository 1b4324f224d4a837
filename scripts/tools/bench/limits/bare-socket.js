// @ts-check
// The least an app in the tray can do: a socket without a window, which parses each message and drops it.
import { app } from 'electron'
import { follow, idsOf } from './feed.js'

void app.whenReady().then(() => {
  follow(idsOf(Number(process.argv.at(-1))), () => undefined)
})
