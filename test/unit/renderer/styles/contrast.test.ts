import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('../../../../renderer/styles/tokens.css', import.meta.url), 'utf8')

type Tokens = Map<string, string>

/** The tokens a block of the sheet sets. */
function tokensOf(selector: string): Tokens {
  const start = css.indexOf(`${selector} {`)
  if (start === -1) throw new Error(`tokens.css has no ${selector}`)
  const block = css.slice(start, css.indexOf('\n}', start))
  return new Map([...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))
}

function colourOf(tokens: Tokens, name: string, theme: 'light' | 'dark'): string {
  const value = tokens.get(name) ?? ''
  const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1]
  if (other !== undefined) return colourOf(tokens, other, theme)
  const [, light, dark] = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value) ?? []
  const colour = theme === 'light' ? light : dark
  if (colour === undefined) throw new Error(`--${name} is no pair of colours: ${value}`)
  return colour
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right)
  return (light + 0.05) / (dark + 0.05)
}

const root = tokensOf(':root')
const directions = {
  greenUp: root,
  redUp: new Map([...root, ...tokensOf("[data-direction='redUp']")]),
  blueUp: new Map([...root, ...tokensOf("[data-direction='blueUp']")]),
}
const texts = [
  'ink',
  'ink-2',
  'ink-3',
  'accent',
  'good',
  'danger',
  'warn',
  'info',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
]
const grounds = ['bg', 'surface', 'raised', 'hover', 'selected']

test('the contrast of known pairs is correct', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))(
    '%s on %s can be read',
    (text, ground) =>
      expect(contrast(colourOf(root, text, theme), colourOf(root, ground, theme))).toBeGreaterThanOrEqual(4.5),
  )

  test.each([
    ['accent-ink', 'accent'],
    ['ink', 'warn-soft'],
    ['ink-2', 'warn-soft'],
    ['warn', 'warn-soft'],
  ])('%s on %s is readable', (text, ground) =>
    expect(contrast(colourOf(root, text, theme), colourOf(root, ground, theme))).toBeGreaterThanOrEqual(4.5),
  )

  test.each(['bg', 'surface', 'raised', 'hover'])(
    'the edge of a field and the thumb of a scrollbar can be seen on %s',
    (ground) =>
      expect(contrast(colourOf(root, 'line-strong', theme), colourOf(root, ground, theme))).toBeGreaterThanOrEqual(3),
  )

  test.each(Object.entries(directions))('up and down of %s are readable on every background', (_, tokens) => {
    for (const ground of grounds) {
      for (const text of ['up', 'down']) {
        expect(contrast(colourOf(tokens, text, theme), colourOf(tokens, ground, theme))).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
})

test.each([
  ['styles/controls.css', '.button', ['line-strong']],
  ['styles/controls.css', '.field', ['line-strong']],
  ['styles/controls.css', '.field.low', []],
  ['ui/segmented.svelte', '  .segments', ['line-strong']],
  ['ui/segmented.svelte', '  .low', []],
  ['views/alerts/dialog/field.svelte', '  .word', ['line-strong']],
  ['ui/select.svelte', '  select', ['line-strong']],
  ['views/shell/palette-button.svelte', '  button', ['line-strong']],
])('the edge in %s, %s is the one that can be seen', (file, selector, edges) => {
  const sheet = readFileSync(new URL(`../../../../renderer/${file}`, import.meta.url), 'utf8')
  const start = sheet.indexOf(`\n${selector} {`)
  expect(start).toBeGreaterThan(0)
  const block = sheet.slice(start, sheet.indexOf('}', start))
  expect([...block.matchAll(/border(?:-color)?: .*var\(--([\w-]+)\)/g)].map(([, token]) => token)).toEqual(edges)
})

test('red-up swaps the pair and leaves errors red', () => {
  expect(colourOf(directions.redUp, 'up', 'light')).toBe(colourOf(root, 'down', 'light'))
  expect(colourOf(directions.redUp, 'down', 'light')).toBe(colourOf(root, 'up', 'light'))
  expect(directions.redUp.get('danger')).toBe(root.get('danger'))
  expect(colourOf(directions.blueUp, 'up', 'dark')).not.toBe(colourOf(root, 'up', 'dark'))
})
