import type { Page } from '@playwright/test'

/**
 * A function that runs inside the page. Returns whether an element's content or text is wider than the element. Cells
 * need a check of their text, because a box with its own layout hides the width of its text from the cell.
 */
export const isCut = `((box) => {
  if (box.clientWidth === 0) return false
  if (box.scrollWidth > box.clientWidth) return true
  if (!box.matches('td, th')) return false
  const range = document.createRange()
  range.selectNodeContents(box)
  const text = range.getBoundingClientRect()
  const room = box.getBoundingClientRect()
  return text.width > 0 && (text.left < room.left - 1 || text.right > room.right + 1)
})`

/** Finds pages, views, terms and values that are wider than their box. Runs inside the page. */
const findCut = `[...document.querySelectorAll('html, main, dt, dd, [data-value]')]
  .filter(${isCut})
  .map((box) => box.tagName.toLowerCase() + ' ' + box.scrollWidth + ' > ' + box.clientWidth)`

/** Counts the parts of the top bar that overlap the part before. Runs inside the page. */
const findOverlaps = `(() => {
  const parts = [...document.querySelectorAll('header .connection > :is(span, div[role], button)')]
    .map((part) => part.getBoundingClientRect())
    .filter(({ width }) => width > 0)
  return parts.filter((part, at) => at > 0 && part.left < parts[at - 1].right).length
})()`

/**
 * Finds numbers and times without figures of equal width, and words with a hyphen that have them, because they widen
 * the hyphen. Runs inside the page.
 */
const findWrongFigures = `(() => {
  const isNumber = /^[−+]?\\d[\\d,]*\\.\\d+( %)?$|^\\d\\d?:\\d\\d(:\\d\\d(\\.\\d+)?)?$/
  const hasHyphen = /\\p{L}-\\p{L}/u
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode() !== null) {
    const text = texts.currentNode.textContent.trim()
    const part = texts.currentNode.parentElement
    if (part.closest('script, option, kbd, pre, code, .visually-hidden') !== null || !part.checkVisibility()) continue
    const isTabular = getComputedStyle(part).fontVariantNumeric.includes('tabular-nums')
    if (isTabular ? hasHyphen.test(text) : isNumber.test(text)) found.push(text)
  }
  return found
})()`

/** Focuses each part that Tab reaches. Finds those whose focus ring is cut by the window or an ancestor. Runs inside the page. */
const findCutRings = `(() => {
  const parts = [...document.querySelectorAll('a[href], button, input, select, summary, textarea, [tabindex="0"]')]
  return parts.flatMap((part) => {
    if (part.tabIndex < 0 || !part.checkVisibility({ visibilityProperty: true })) return []
    part.focus()
    const { outlineStyle, outlineWidth, outlineOffset, opacity } = getComputedStyle(part)
    if (document.activeElement !== part || outlineStyle === 'none' || opacity === '0') return []
    const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset) - 0.5
    const { left, right, top, bottom } = part.getBoundingClientRect()
    const isCutBy = (room) => {
      const isTall = bottom - top > room.bottom - room.top
      const isCutAcross = !isTall && (top - reach < room.top || bottom + reach > room.bottom)
      return left - reach < room.left || right + reach > room.right || isCutAcross
    }
    let isCut = isCutBy({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })
    for (let box = part.parentElement; box !== null && !box.matches('html, body'); box = box.parentElement) {
      const { overflowX, overflowY, contain } = getComputedStyle(box)
      const clips = overflowX !== 'visible' || overflowY !== 'visible' || /paint|strict|content/.test(contain)
      if (clips && isCutBy(box.getBoundingClientRect())) isCut = true
      if (box.matches('dialog, [popover]')) break
    }
    return isCut ? [part.tagName.toLowerCase() + ' ' + (part.title || part.ariaLabel || part.textContent.trim())] : []
  })
})()`

/** Returns the parts whose focus ring is not whole. */
export async function cutRingsIn(page: Page): Promise<string[]> {
  // The browser draws rings for the keyboard only.
  await page.keyboard.press('Shift')
  return page.evaluate<string[]>(findCutRings)
}

/** Returns the parts that are cut off. */
export async function cutIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(findCut)
}

/** Returns texts with wrong figures. Only numbers and times have figures of equal width. */
export async function wrongFiguresIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(findWrongFigures)
}

/** Returns the number of parts of the top bar that overlap the part before. */
export async function overlapsIn(page: Page): Promise<number> {
  return page.evaluate<number>(findOverlaps)
}

/** Returns the texts of table cells that lie below a notice or a message, even if hidden. */
export function cellsBelowMessages(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('[role=group][aria-label="Message"], [role=group][aria-label^="Notice"]')]
    .flatMap((message) => {
      const { left, right, top, bottom } = message.getBoundingClientRect()
      const inside = [0.05, 0.5, 0.95].map((part) => left + part * (right - left))
      return inside.flatMap((x) => document.elementsFromPoint(x, (top + bottom) / 2))
    })
    .filter((element) => element.matches('td, th'))
    .map((cell) => cell.textContent)`)
}
