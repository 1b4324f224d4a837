// Measures whether a running simulator keeps up: 50 clients with 200 subscriptions each, every tick of every channel.
// Usage: npm run --silent simulator -- --port 0 | node scripts/measure-simulator.js [SECONDS]
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'

const clientCount = 50
const subscriptionCount = 200
const measuredMs = Number(process.argv[2] ?? '30') * 1_000
const settleMs = 5_000

/** The address in the simulator's first line. */
async function address() {
  for await (const line of createInterface({ input: process.stdin })) return JSON.parse(line)
  throw new Error('no address on stdin: pipe the output of the simulator here')
}

/** Resolves with a connection once it is open. */
function open({ ws, keyId, keySecret }) {
  return new Promise((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
    const socket = new WebSocket(ws, { headers: { authorization } })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** What can be subscribed to, the most frequent first; found by trying, as any client can. */
async function availableSubscriptions(where) {
  const socket = await open(where)
  const refused = new Set()
  const ids = await new Promise((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString())
      if (message.type === 'info') resolve(message.streams)
      if (message.success === false) refused.add(`${message.stream} ${message.id}`)
    })
    socket.send('{"type":"info"}')
  })
  const rank = { PER_200MS: 0, PER_SECOND: 1 }
  const frequentFirst = ids.toSorted((a, b) => (rank[a.maxResolution] ?? 2) - (rank[b.maxResolution] ?? 2))
  const streams = ['value', 'constituents', 'rti_stats', 'weight', 'active_corporate_action']
  const all = frequentFirst.flatMap(({ id }) => streams.map((stream) => ({ stream, id })))
  for (const { stream, id } of all) socket.send(JSON.stringify({ type: 'subscribe', stream, id }))
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  socket.close()
  return all.filter(({ stream, id }) => !refused.has(`${stream} ${id}`)).slice(0, subscriptionCount)
}

function percentile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
}

const where = await address()
const subscriptions = await availableSubscriptions(where)
const delaysMs = []
let byteCount = 0
let isMeasuring = false
let lost = 0

for (let number = 0; number < clientCount; number++) {
  const socket = await open(where)
  const lastMs = new Map()
  socket.on('close', () => isMeasuring && lost++)
  socket.on('message', (data) => {
    const text = data.toString()
    if (!isMeasuring) return
    byteCount += text.length
    // Amendments and daily values have older times: only fresh values show the delay.
    if (text.includes('"amendTime"') || text.includes('"active_corporate_action"')) return
    const timeMs = Number(/"time":(\d+)/.exec(text)?.[1])
    if (Date.now() - timeMs < 60_000) delaysMs.push(Date.now() - timeMs)
    if (!text.startsWith('{"type":"value"')) return
    const id = /"id":"([^"]*)"/.exec(text)?.[1]
    const beforeMs = lastMs.get(id)
    if (beforeMs !== undefined && timeMs - beforeMs > 1_000) lost++
    lastMs.set(id, timeMs)
  })
  for (const { stream, id } of subscriptions) {
    socket.send(JSON.stringify({ type: 'subscribe', stream, id, maxResolution: 'PER_200MS' }))
  }
}
await new Promise((resolve) => setTimeout(resolve, settleMs))
isMeasuring = true
await new Promise((resolve) => setTimeout(resolve, measuredMs))
isMeasuring = false
delaysMs.sort((a, b) => a - b)
const seconds = measuredMs / 1_000
console.log(`${clientCount} clients, ${subscriptions.length} subscriptions each, ${seconds} s`)
console.log(
  `${Math.round(delaysMs.length / seconds)} updates and ${(byteCount / seconds / 1e6).toFixed(1)} MB a second`,
)
const shown = [0.5, 0.99, 1].map((part) => `${Math.round(percentile(delaysMs, part))} ms`)
console.log(`delay from calculation to receipt: median ${shown[0]}, 99 % within ${shown[1]}, maximum ${shown[2]}`)
console.log(`connections lost or values missing: ${lost}`)
process.exit(lost === 0 ? 0 : 1)
