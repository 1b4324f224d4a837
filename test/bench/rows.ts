import type { Budget, Row } from './report'

/** A share of the limit's rate. */
const rateShare = (min: number): Budget => ({ kind: 'rateShare', min })
/** So many times the cost of the limit. */
const times = (max: number): Budget => ({ kind: 'times', max })
const figure = (max: number): Budget => ({ kind: 'figure', max })

function row<const Name extends string>(name: Name, what: string, unit: string, budget: Budget): Row & { name: Name } {
  return { name, what, unit, budget }
}

/** Every row, in the order of the table. What is not here yet is named in docs/performance.md. */
export const rows = [
  // Messages.
  row('B1-value', 'a value of 200 indices, 2 rules each, from frame to batch', 'µs CPU', rateShare(0.6)),
  row('B1-constituents', '100 constituents: received, decoded, judged', 'µs CPU', rateShare(0.7)),
  // Parts.
  row('B3-compare', 'a value against a level, exactly', 'ns CPU', times(2)),
  row('B3-rule', 'one rule on one value', 'ns CPU', times(6)),
  row('B4-batch', 'an update in a push of 100, main and page', 'µs CPU', times(1.5)),
  row('B12-append', 'a value onto the disk, 50 in a transaction', 'µs CPU', rateShare(0.5)),
  row('B7-chart-3600', 'one value more, one less on a chart of 3,600', 'ms', times(2.5)),
  row('B7-chart-18000', 'the same on a chart of 18,000', 'ms', times(2.5)),
  row('B7-slow-3600', '95 of 100 updates of a chart of 3,600', 'ms', figure(4)),
  row('B7-slow-18000', 'the same of a chart of 18,000', 'ms', figure(4)),
  // The start.
  row('B8-cpu', 'start until the first paint, 200 rows, all processes', 'ms CPU', times(1.3)),
  row('B8-ready', 'start until ready to show, 200 rows', 'ms', times(1.3)),
  row('B8-paint', 'start until the first paint, 200 rows', 'ms', times(1.3)),
  // Memory.
  row('B9-window', 'memory (PSS) of the window, 200 rows and a chart', 'MB', times(1.4)),
  row('B9-tray', 'memory (PSS) in the tray alone', 'MB', times(1.25)),
  // At rest.
  row('B10-silent', 'the window with 200 rows, connected, nothing published', '% of a core', figure(0.2)),
  row('B10-values', 'the same window at 10 values a second', '% of a core', figure(3)),
]

export type RowName = (typeof rows)[number]['name']
