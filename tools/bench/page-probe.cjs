// @ts-check
/// <reference lib="dom" />
// Loaded into a page with a list before its own code: what its first rows show after each frame, and how long frames take.
const { ipcRenderer } = require('electron')

const { document, requestAnimationFrame } = globalThis

const watchedCount = 20
const reportMs = 500

/** @type {[number, number][]} row and when it showed another text; texts are parsed by the command */
let times = []
/** @type {string[]} */
let texts = []
/** @type {number[]} */
let frames = []
/** @type {(string | undefined)[]} */
const last = []

const rows = () => [...document.querySelectorAll('tr[data-index]')]
/** @param {Element} row */
const textOf = (row) => row.querySelector('[data-value]')?.textContent ?? ''

// The task after a frame: what is in the page then, the frame has drawn.
const afterFrame = new MessageChannel()
afterFrame.port1.onmessage = () => {
  const atMs = Date.now()
  const seen = document.querySelectorAll('tr[data-index]')
  for (let at = 0; at < watchedCount; at++) {
    const row = seen[at]
    const text = row && textOf(row)
    if (text === undefined || text === last[at]) continue
    last[at] = text
    times.push([at, atMs])
    texts.push(text)
  }
}

let lastMs = performance.now()
/** @param {number} nowMs */
function step(nowMs) {
  requestAnimationFrame(step)
  frames.push(nowMs - lastMs)
  lastMs = nowMs
  afterFrame.port2.postMessage(undefined)
}
requestAnimationFrame(step)

setInterval(() => {
  ipcRenderer.send('bench:line', { shown: { times, texts, frames, rowCount: rows().length, atMs: Date.now() } })
  times = []
  texts = []
  frames = []
}, reportMs)
