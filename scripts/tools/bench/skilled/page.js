// @ts-check
/// <reference lib="dom" />
// The page of the skilled twin. Only visible rows are in the page. A value writes into their text nodes, once a frame.

/** @typedef {import('./main').Value} Value */

export {} // A module, as in the page: its names are its own.

const { document, location, requestAnimationFrame } = globalThis
const rowHeight = 44
const ids = (new URLSearchParams(location.search).get('ids') ?? '').split(',')
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
/** @param {string} id */
const partOf = (id) => /** @type {HTMLElement} */ (document.getElementById(id))
/** @type {Map<string, { value: Value, first: string }>} */
const latest = new Map()
/** @type {Set<string>} */
const changed = new Set()
/** @type {Map<string, Text[]>} */
let shown = new Map()
let firstShown = -1

/** @param {string} id @returns {[string, Text[]]} */
function addRow(id) {
  const row = document.createElement('tr')
  row.dataset['index'] = id
  const texts = [id, `Index ${id}`, '', '', '', ''].map((text) => {
    const node = document.createTextNode(text)
    row.insertCell().append(node)
    return node
  })
  row.cells[2]?.setAttribute('data-value', '')
  partOf('rows').append(row)
  return [id, texts.slice(2)]
}

/** @param {string} id */
function write(id) {
  const texts = shown.get(id)
  const known = latest.get(id)
  if (texts === undefined || known === undefined) return
  const { value, first } = known
  const difference = Number(value.value) - Number(first)
  const percent = `${((100 * difference) / Number(first)).toFixed(2)} %`
  for (const [at, text] of [value.value, difference.toFixed(2), percent, time.format(value.time)].entries()) {
    const node = texts[at]
    if (node && node.data !== text) node.data = text
  }
}

function place() {
  const first = Math.max(0, Math.min(ids.length, Math.floor(document.body.scrollTop / rowHeight) - 2))
  if (first === firstShown) return
  firstShown = first
  const count = Math.ceil(document.body.clientHeight / rowHeight) + 4
  partOf('rows').replaceChildren()
  shown = new Map(ids.slice(first, first + count).map(addRow))
  partOf('above').style.height = `${first * rowHeight}px`
  partOf('below').style.height = `${Math.max(0, ids.length - first - count) * rowHeight}px`
  for (const id of shown.keys()) write(id)
}

document.body.addEventListener('scroll', place)
place()

const { twin } = /** @type {{ twin: { onPush: (listener: (values: Value[]) => void) => void } }} */ (
  /** @type {unknown} */ (globalThis)
)
twin.onPush((values) => {
  if (changed.size === 0)
    requestAnimationFrame(() => {
      for (const id of changed) write(id)
      changed.clear()
    })
  for (const value of values) {
    latest.set(value.id, { value, first: latest.get(value.id)?.first ?? value.value })
    changed.add(value.id)
  }
})
