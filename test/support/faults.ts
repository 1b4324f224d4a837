import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that another theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Lets axe check the contrast of one text for all texts like it, because contrast is its slowest rule by far. Texts are
 * alike if they have the same colours and size on the same backgrounds, and are in the normal flow. If the text fails
 * or cannot be judged, axe checks each text like it. Runs inside the page, after axe.
 */
const contrastOfMany = `(() => {
  const contrast = 'color-contrast'
  const mark = 'data-contrast-judged'
  const plain = 'rgba(0, 0, 0, 0),none,1,normal,none'
  const isText = (element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  // Groups the texts inside by what lies behind them.
  const textsAlike = (isWithin) => {
    const grounds = new Map()
    const isCovered = new Set()
    const all = [...document.querySelectorAll('*:not(head, head *, svg *)')]
    const looks = new Map(all.map((element) => [element, getComputedStyle(element)]))
    const flows = ({ position, transform }) => (position === 'static' || position === 'relative') && transform === 'none'
    const isClear = ({ backgroundColor, backgroundImage }) => backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none'
    for (const [element, look] of looks) if (!flows(look) && !isClear(look)) isCovered.add(element.parentElement)
    const groundOf = (element) => {
      if (element === null) return ''
      const known = grounds.get(element)
      if (known !== undefined) return known
      const look = looks.get(element)
      const { backgroundColor, backgroundImage, opacity, mixBlendMode, filter } = look
      const own = [backgroundColor, backgroundImage, opacity, mixBlendMode, filter].join()
      const hidesAll = backgroundColor.startsWith('rgb(') && opacity === '1'
      // Outside the normal flow and translucent, it may lie on elements that are not its ancestors. So may what an
      // element outside the flow covers.
      const isApart = isCovered.has(element) || (!flows(look) && !hidesAll)
      const ground = groundOf(element.parentElement) + (own === plain ? '' : ' on ' + own) + (isApart ? ' at ' + grounds.size : '')
      grounds.set(element, ground)
      return ground
    }
    const texts = all.filter((each) => isWithin(each) && isText(each) && each.checkVisibility({ visibilityProperty: true }))
    const alike = Map.groupBy(texts, (element) => {
      const { color, fontSize, fontWeight, textShadow } = looks.get(element)
      return [color, fontSize, fontWeight, textShadow, groundOf(element)].join()
    })
    const inDrawings = [...document.querySelectorAll('svg text')].filter(isWithin)
    return [...alike.values(), ...inDrawings.map((text) => [text])]
  }
  let judged
  axe.configure({
    // HTML is generated only for elements that fail.
    noHtml: true,
    checks: [{ id: 'noted', evaluate: (element) => judged.add(element) !== undefined }],
    rules: [{ id: contrast, selector: '[' + mark + ']', any: [contrast], all: ['noted'] }],
  })
  const run = async (root, options, texts) => {
    judged = new Set()
    for (const text of texts) text.setAttribute(mark, '')
    const found = await axe.run(root, { ...options, resultTypes: ['violations', 'incomplete'], elementRef: true })
    for (const text of texts) text.removeAttribute(mark)
    return found
  }
  globalThis.findFaults = async (root, options) => {
    const alike = textsAlike((element) => root === document || element.closest(root) !== null)
    const { violations, incomplete } = await run(root, options, alike.map(([first]) => first))
    const isContrast = ({ id }) => id === contrast
    const open = [...violations, ...incomplete].filter(isContrast).flatMap(({ nodes }) => nodes.map(({ element }) => element))
    const passed = judged.difference(new Set(open))
    const others = alike.flatMap(([first, ...others]) => (passed.has(first) ? [] : others))
    const more = others.length === 0 ? [] : (await run(root, { runOnly: [contrast] }, others)).violations
    return [...violations, ...more].flatMap(({ id, nodes }) =>
      nodes.map(({ element }) => id + ': ' + element.outerHTML.slice(0, 160)))
  }
})()`

/** By default only in test:deep. */
const judgesInBothThemes = process.env['INDEXWATCH_TEST_DEEP'] === '1'

interface FaultOptions {
  /** A selector. By default the whole page. */
  part?: string
  /** False by default, because `contrast.test.ts` checks the pairs of colours in both themes. */
  inBothThemes?: boolean
}

/**
 * Returns the problems that axe finds in the page or a part of it, with the elements. Applies all rules in the current
 * theme and, with `inBothThemes`, the colour rules in the other one. A page with a fixed theme keeps it.
 */
export async function faults(
  page: Page,
  { part, inBothThemes = judgesInBothThemes }: FaultOptions = {},
): Promise<string[]> {
  const root = part === undefined ? 'document' : JSON.stringify(part)
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${axe};${contrastOfMany}`)
  // Elements that are still fading in would be measured half-way.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))')
  const found = await page.evaluate<string[]>(`findFaults(${root}, {})`)
  if (!inBothThemes) return found
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches")
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  // Colours that are still fading between themes would be measured half-way.
  await page.emulateMedia({ colorScheme: other, reducedMotion: 'reduce' })
  const inOther = await page.evaluate<string[]>(`findFaults(${root}, ${JSON.stringify({ runOnly: colourRules })})`)
  await page.emulateMedia({ colorScheme: own })
  // Draws before motion is enabled again. Otherwise the colours would fade now.
  await page.evaluate('document.body.offsetHeight')
  await page.emulateMedia({ reducedMotion: null })
  return [...found, ...inOther.map((fault) => `in the ${other} theme, ${fault}`)]
}
