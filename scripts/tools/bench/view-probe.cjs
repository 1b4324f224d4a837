// @ts-check
/// <reference lib="dom" />
// Loaded into a page before its own code. Does nothing until start-hook.cjs sends a question, so that it costs nothing.
const { ipcRenderer } = require('electron')

const { document, getComputedStyle, location, requestAnimationFrame } = globalThis

const frame = () => new Promise(requestAnimationFrame)
const rows = () => [...document.querySelectorAll('tr[data-index]')]
const indices = () => document.querySelectorAll('table[aria-label=Indices] tbody tr')
/** @param {Element} row */
const textOf = (row) => row.querySelector('[data-value]')?.textContent ?? ''

function scroller() {
  let found = rows()[0]?.parentElement
  while (found && !/auto|scroll/.test(getComputedStyle(found).overflowY)) found = found.parentElement
  return found ?? document.documentElement
}

/** Reports the text of every row, scrolling the list to its end and back. */
async function sweep() {
  const list = scroller()
  /** @type {Record<string, string>} */
  const all = {}
  for (let top = 0; ; top += list.clientHeight) {
    list.scrollTop = top
    for (let count = 0; count < 2; count++) await frame()
    for (const row of rows()) all[/** @type {HTMLElement} */ (row).dataset['index'] ?? ''] = textOf(row)
    if (top + list.clientHeight >= list.scrollHeight) break
  }
  list.scrollTop = 0
  ipcRenderer.send('bench:line', { swept: all })
}

/** @type {Record<string, () => number | boolean | Promise<number>>} */
const answers = {
  rowsAreShown: () => rows().length > 0 && rows().every((row) => /\d/.test(textOf(row))),
  endIsShown: () => {
    const list = scroller()
    list.scrollTop = list.scrollHeight
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1
    return isAtEnd && rows().every((row) => /\d/.test(textOf(row)))
  },
  toTop: () => (scroller().scrollTop = 0),
  rowCount: () => rows().length,
  indexCount: () => indices().length,
  /** Milliseconds until the page of all indices is drawn. */
  openIndices: async () => {
    const beganAtMs = performance.now()
    location.hash = 'indices'
    while (indices().length === 0) await frame()
    await frame()
    return performance.now() - beganAtMs
  },
}

/** @param {string} question */
async function answer(question) {
  if (question === '') await sweep()
  else ipcRenderer.send('bench:line', { answer: await answers[question]?.() })
}

ipcRenderer.on('bench:ask', (_event, /** @type {string} */ question) => {
  void answer(question)
})
