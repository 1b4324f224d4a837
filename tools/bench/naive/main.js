// @ts-check
// The naive twin is the same list as a first attempt at the app. It checks every message with zod and sends each one
// separately, even to a hidden window. The page renders its whole table for each.
import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'
import { WebSocket } from 'ws'
import { z } from 'zod'

const messageSchema = z.object({
  type: z.literal('value'),
  time: z.number().int().nonnegative(),
  id: z.string().min(1).max(64),
  value: z
    .string()
    .max(64)
    .regex(/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/),
})

const { INDEXWATCH_WS_URL: url = '', INDEXWATCH_KEY_ID: keyId, INDEXWATCH_KEY_SECRET: secret } = process.env
const [page = '', rowCount = '', place] = process.argv.slice(-3)
const ids = Array.from({ length: Number(rowCount) }, (_, at) => `INDEX${String(at + 1).padStart(4, '0')}`)

void app.whenReady().then(async () => {
  const window = new BrowserWindow({
    width: 1280,
    height: 820,
    show: place !== 'hidden',
    webPreferences: { preload: join(import.meta.dirname, 'preload.cjs') },
  })
  await window.loadFile(page, { query: { ids: ids.join() } })
  const socket = new WebSocket(url, { auth: `${keyId}:${secret}` })
  socket.on('open', () => {
    for (const id of ids) socket.send(JSON.stringify({ type: 'subscribe', stream: 'value', id }))
  })
  socket.on('message', (/** @type {Buffer} */ data) => {
    const message = messageSchema.safeParse(JSON.parse(data.toString()))
    if (message.success) window.webContents.send('value', message.data)
  })
})
