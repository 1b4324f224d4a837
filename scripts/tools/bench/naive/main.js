// @ts-check
// The naive twin is the same list as a first attempt at the app. It checks every message with zod and sends each one
// separately, even to a hidden window. The page renders its whole table for each.
import { app } from 'electron'
import { z } from 'zod'
import { follow, idsOf, openWindow } from '../limits/feed.js'

const messageSchema = z.object({
  type: z.literal('value'),
  time: z.number().int().nonnegative(),
  id: z.string().min(1).max(64),
  value: z
    .string()
    .max(64)
    .regex(/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/),
})

const [page = '', rowCount = '', place] = process.argv.slice(-3)
const ids = idsOf(Number(rowCount))

void app.whenReady().then(async () => {
  const window = await openWindow(page, ids, { isShown: place !== 'hidden' })
  follow(ids, (parsed) => {
    const message = messageSchema.safeParse(parsed)
    if (message.success) window.webContents.send('push', message.data)
  })
})
