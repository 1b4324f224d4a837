import type { Row } from './report'

/** Every row, in the order of the table. What is not here yet is named in docs/performance.md. */
export const rows = [
  {
    name: 'B1-value',
    what: 'a value of 200 indices, 2 rules each: received, decoded, kept, judged, batched',
    unit: 'µs CPU',
    budget: { kind: 'rateShare', min: 0.6 },
  },
  {
    name: 'B1-constituents',
    what: '100 constituents: received, decoded, judged',
    unit: 'µs CPU',
    budget: { kind: 'rateShare', min: 0.7 },
  },
  {
    name: 'B3-compare',
    what: 'a value against a level, exactly',
    unit: 'ns CPU',
    budget: { kind: 'times', max: 2 },
  },
  { name: 'B3-rule', what: 'one rule on one value', unit: 'ns CPU', budget: { kind: 'times', max: 6 } },
  {
    name: 'B4-batch',
    what: 'an update in a push of 100, main and page',
    unit: 'µs CPU',
    budget: { kind: 'times', max: 1.5 },
  },
  {
    name: 'B12-append',
    what: 'a value onto the disk, 50 in a transaction',
    unit: 'µs CPU',
    budget: { kind: 'rateShare', min: 0.5 },
  },
  {
    name: 'B8-cpu',
    what: 'start until the first paint, 200 rows, all processes',
    unit: 'ms CPU',
    budget: { kind: 'times', max: 1.3 },
  },
  { name: 'B8-ready', what: 'start until ready to show, 200 rows', unit: 'ms', budget: { kind: 'times', max: 1.3 } },
  { name: 'B8-paint', what: 'start until the first paint, 200 rows', unit: 'ms', budget: { kind: 'times', max: 1.3 } },
  {
    name: 'B9-window',
    what: 'memory (PSS) of the window, 200 rows and a chart',
    unit: 'MB',
    budget: { kind: 'times', max: 1.4 },
  },
  { name: 'B9-tray', what: 'memory (PSS) in the tray alone', unit: 'MB', budget: { kind: 'times', max: 1.25 } },
  {
    name: 'B10-silent',
    what: 'the window with 200 rows, connected, nothing published',
    unit: '% of a core',
    budget: { kind: 'figure', max: 0.2 },
  },
  {
    name: 'B10-values',
    what: 'the same window at 10 values a second',
    unit: '% of a core',
    budget: { kind: 'figure', max: 3 },
  },
] as const satisfies readonly Row[]

export type RowName = (typeof rows)[number]['name']
