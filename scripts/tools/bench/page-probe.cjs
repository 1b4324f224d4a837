// @ts-check
/// <reference lib="dom" />
// Loaded into a list page before its own code. Reports the first rows' texts after each frame, and the duration of
// frames. When start-hook.cjs asks, it reads every row.
const { ipcRenderer } = require('electron')

const { document, getComputedStyle, requestAnimationFrame } = globalThis

const watchedCount = 20
const reportMs = 500

/** @type {[number, number][]} row and time of each changed text. The command parses the texts. */
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

// Runs in the task after a frame, when the frame has drawn what is in the page.
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

const frame = () => new Promise(requestAnimationFrame)

function scroller() {
  let found = rows()[0]?.parentElement
  while (found && !/auto|scroll/.test(getComputedStyle(found).overflowY)) found = found.parentElement
  return found ?? document.documentElement
}

/** Reports the text of every row, scrolling the list to its end and back. */
async function sweep() {
  const list = scroller()
  /** @type {Record<string, string>} */
  const swept = {}
  for (let top = 0; ; top += list.clientHeight) {
    list.scrollTop = top
    for (let count = 0; count < 2; count++) await frame()
    for (const row of rows()) swept[/** @type {HTMLElement} */ (row).dataset['index'] ?? ''] = textOf(row)
    if (top + list.clientHeight >= list.scrollHeight) break
  }
  list.scrollTop = 0
  ipcRenderer.send('bench:line', { swept })
}

ipcRenderer.on('bench:sweep', () => {
  void sweep()
})
