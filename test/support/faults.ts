import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that another theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Has axe judge the contrast of one text for many: what passed holds for all texts that flow in the same colours and size
 * on the same backgrounds. What fails, or cannot be judged, is looked at text by text. Runs inside the page, after axe.
 */
const judgeOnceForMany = `(() => {
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast')
  const check = axe._audit.checks['color-contrast']
  const { matches } = rule
  const { evaluate } = check
  const plain = 'rgba(0, 0, 0, 0),none,1,normal,none'
  let passed, backgrounds
  const backgroundsOf = (element) => {
    if (element === null) return ''
    const known = backgrounds.get(element)
    if (known !== undefined) return known
    const { backgroundColor, backgroundImage, opacity, mixBlendMode, filter, position, transform } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity, mixBlendMode, filter].join()
    // Out of the flow, and seen through, it may lie on what is not above it in the tree.
    const flows = (position === 'static' || position === 'relative') && transform === 'none'
    const place = flows || backgroundColor.startsWith('rgb(') ? '' : ' at ' + backgrounds.size
    const all = backgroundsOf(element.parentElement) + (own === plain ? '' : ' on ' + own) + place
    backgrounds.set(element, all)
    return all
  }
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  // All are matched before the first is judged, so that axe's own answer, which is dear, waits until one is.
  rule.matches = (element) => hasText(element) || element.matches('input, select, textarea')
  check.evaluate = function (element, options, node, context) {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const looks = [color, fontSize, fontWeight, textShadow, backgroundsOf(element)].join()
    if (passed.has(looks) || !matches.call(rule, element, node, context)) return true
    const result = evaluate.call(this, element, options, node, context)
    if (result === true) passed.add(looks)
    return result
  }
  // An element's text is made for what is found alone.
  axe.configure({ noHtml: true })
  axe.forgetPassed = () => {
    passed = new Set()
    backgrounds = new Map()
  }
})()`

/** Runs inside the page. */
function findFaults(root: string, rules?: readonly string[]): string {
  const options = {
    resultTypes: ['violations'],
    elementRef: true,
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  return `axe.forgetPassed()
    axe.run(${root}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ element }) => id + ': ' + element.outerHTML.slice(0, 160))))`
}

/**
 * What axe finds wrong with the page, or with the part of this selector, each with the element it is about: by all rules
 * in the theme on screen, and by those of colours in the other one as well. A page whose theme the settings fix stays in it.
 */
export async function faults(page: Page, part?: string): Promise<string[]> {
  const root = part === undefined ? 'document' : JSON.stringify(part)
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${axe};${judgeOnceForMany}`)
  const found = await page.evaluate<string[]>(findFaults(root))
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches")
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  // Colours that still fade from one theme to the other would be judged half-way.
  await page.emulateMedia({ colorScheme: other, reducedMotion: 'reduce' })
  const inOther = await page.evaluate<string[]>(findFaults(root, colourRules))
  await page.emulateMedia({ colorScheme: own })
  // Drawn before motion is back, or the colours would fade now.
  await page.evaluate('document.body.offsetHeight')
  await page.emulateMedia({ reducedMotion: null })
  return [...found, ...inOther.map((fault) => `in the ${other} theme, ${fault}`)]
}
