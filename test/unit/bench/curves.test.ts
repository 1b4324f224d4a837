import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describe, expect, test } from 'vitest'
import { curves, selectCurves, type AllMeasured } from '../../bench/curves/curves'
import { curveFile, curveSvg, withCurves } from '../../bench/curves/page'

const docs = join(import.meta.dirname, '..', '..', '..', 'docs')
const text = (path: string) => readFileSync(join(docs, path), 'utf8')
const measured = JSON.parse(text('performance/curves.json')) as AllMeasured

describe('docs/performance', () => {
  test('shows in its tables what curves.json says', async () => {
    const path = join(docs, 'performance.md')
    const page = withCurves(text('performance.md'), measured)
    expect(text('performance.md')).toBe(await format(page, { ...(await resolveConfig(path)), filepath: path }))
    expect(text('performance/curves.json')).toBe(await curveFile(measured))
  })

  test.each(curves.map((curve) => [curve.name, curve] as const))('draws what curves.json says of %s', (name, curve) => {
    const found = measured[name]
    expect(existsSync(join(docs, 'performance', `${name}.svg`))).toBe(found !== undefined)
    if (found !== undefined) expect(text(`performance/${name}.svg`)).toBe(curveSvg(curve, found.points))
  })
})

describe('the curves of a run', () => {
  test('are those named, or all but the one that takes half an hour', () => {
    expect(selectCurves(['rules', 'indices'])).toEqual(['indices', 'rules'])
    expect(selectCurves([])).toEqual(curves.map(({ name }) => name).filter((name) => name !== 'hours'))
    expect(() => selectCurves(['rules', 'minutes'])).toThrow('no such curve: minutes')
  })

  test('are written into the page between its marks, and nothing else of it changes', () => {
    const points = [
      { rules: 10, spread: 10, one: 20 },
      { rules: 10_000, spread: 12, one: 40_000 },
    ]
    const rules = { at: '2026-11-24', machine: 'a machine', load: [1, 2], points } as const
    const page = withCurves(text('performance.md'), { rules })
    expect(page).toContain('| 10,000 | 12 | 40,000 |')
    expect(page).toContain('Rules × 1,000: Four on each index × 1.20, All on one index × 2,000.')
    expect(page).not.toContain('performance/hours.svg')
    expect(withCurves(page, measured).length).toBe(withCurves(text('performance.md'), measured).length)
    expect(() => withCurves('# Performance', { rules })).toThrow('no place for curves')
  })
})
