import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRefusedSwitch, readLaunch } from '../../main/desktop/launch-options'

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** The metrics in a text. */
const metricsIn = (text: string) =>
  [...new Set([...text.matchAll(/\b(?:indexwatch|process)_[a-z_]+/g)].map(([name]) => name))].toSorted()

/** The metrics that the reference lists. A test of the metrics holds the list to the app. */
const known = metricsIn(textOf('docs/reference/metrics.md'))

test.each(['resources/monitoring/prometheus-rules.yml', 'resources/monitoring/grafana-dashboard.json'])(
  '%s uses only metrics that exist',
  (path) => {
    const used = metricsIn(textOf(path))
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((name) => !known.includes(name))).toEqual([])
  },
)

test('each panel of the dashboard has its place, a title and a query', () => {
  const { panels } = JSON.parse(textOf('resources/monitoring/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[]; gridPos: { x: number; y: number; w: number; h: number } }[]
  }
  for (const { title, targets } of panels)
    expect([title, targets.every(({ expr }) => expr !== '')]).toEqual([title, true])
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
})

test('the unit of systemd starts a watch that an installed app accepts', () => {
  const [, line = ''] = /^ExecStart=(.+)$/m.exec(textOf('resources/build/linux/indexwatch.service')) ?? []
  const [program, ...args] = line.split(' ')
  expect(program).toBe('/usr/bin/indexwatch')
  expect(findRefusedSwitch(args, { isRoot: false, platform: 'linux' })).toBeUndefined()
  expect(readLaunch({ argv: [program ?? '', ...args], env: {}, isPackaged: true })).toMatchObject({
    ok: true,
    value: { watch: { isJson: true, printsAlerts: true } },
  })
})
