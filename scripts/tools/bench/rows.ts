import type { Budget, Row } from './report'

/** At least this share of the limit's rate. */
const rateShare = (min: number): Budget => ({ kind: 'rateShare', min })
/** At most this multiple of the limit's cost. */
const times = (max: number): Budget => ({ kind: 'times', max })
/** At most this figure, and less than the limit. */
const figureBelow = (max: number): Budget => ({ kind: 'figureBelow', max })
const atLeast = (min: number): Budget => ({ kind: 'atLeast', min })
const figure = (max: number): Budget => ({ kind: 'figure', max })

function row<const Name extends string>(name: Name, what: string, unit: string, budget: Budget): Row & { name: Name } {
  return { name, what, unit, budget }
}

/** For figures that are equal in every round. */
function counted<R extends Row>(row: R): R & { isCounted: true } {
  return { ...row, isCounted: true }
}

/** The longest of a whole run, which is a single figure. */
function longest<R extends Row>(row: R): R & { isLongest: true } {
  return { ...row, isLongest: true }
}

function further<R extends Row>(row: R): R & { isFurther: true } {
  return { ...row, isFurther: true }
}

const curve = <const Name extends string>(name: Name, what: string) =>
  further(longest(row(name, `${what}: longest block of main`, 'ms', figure(50))))

/** All rows, in the order of the table. docs/reports/performance.md names what is missing. */
export const rows = [
  // Messages.
  row('B1-value', 'a value of 200 indices, 2 rules each, from frame to batch', 'µs CPU', rateShare(0.6)),
  row('B1-constituents', '100 constituents: received, decoded, judged', 'µs CPU', rateShare(0.7)),
  row('B2-turns', "a value from a service that would compress: entries into main's code", 'turns', figure(0.1)),
  row('B2-clock', 'a value of 200 indices: how often main reads a clock', 'reads', figure(0.5)),
  // From the socket to the page, compared with the naive twin.
  row('B5-5000', 'socket to page, p95, 1,000 rows at 5,000/s', 'ms', figure(21)),
  row('B5-20000', 'socket to page, p95, 1,000 rows at 20,000/s', 'ms', figure(33)),
  row('B5-lost', 'rows of 1,000 without their last value 3 s after 20,000/s', 'rows', figure(0)),
  row('B6-frames', 'frames a second, 1,000 rows at 5,000/s', 'fps', atLeast(59)),
  row('B6-late', 'the same: frames over 20 ms', '%', figure(0.5)),
  row('B6-rows', 'the same: rows in the document', 'rows', figure(60)),
  // Parts.
  row('B3-compare', 'a value against a level, exactly', 'ns CPU', times(2)),
  row('B3-rule', 'one rule on one value, as the app judges it', 'ns CPU', times(6)),
  row('B4-batch', 'an update in a push of 100, main and page', 'µs CPU', times(1.5)),
  row('B4-sends', 'pushes to the window at 5,000 values a second', 'pushes/s', figure(250)),
  row('B11-loop', "how late main's loop is near a write, at 10 values a second", 'ms', times(2)),
  row('B11-files', 'files that main replaces in five seconds of that', 'files', figure(1)),
  counted(row('B11-quit', 'writes of one file after the app was asked to end', 'writes', figure(1))),
  row('B12-append', 'a value onto the disk, 50 in a transaction', 'µs CPU', rateShare(0.5)),
  row('B12-range', 'a day of one index, 86,400 of 2,000,000 values', 'ms CPU', figure(100)),
  row('B7-chart-3600', 'one value more, one less on a chart of 3,600', 'ms', times(4)),
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
  row('B9-growth', 'memory (PSS) more than after half a minute at 1,000 values a second', '%', figure(5)),
  // All day, compared with the naive twin in the same state, and with the skilled twin or a bare socket.
  row('B10-silent', 'the window with 200 rows, connected, nothing published', '% of a core', figureBelow(0.2)),
  row('B10-wakes', 'the same: how often a thread wakes up in a second', 'wakes/s', figure(10)),
  row('B10-values', 'the same window at 10 values a second, in ten rows', '% of a core', figureBelow(3)),
  row('B10-values-skilled', 'the same beside the skilled twin', '% of a core', times(1.1)),
  row('B10-list', 'the same window at 1,000 values a second', '% of a core', figureBelow(30)),
  row('B10-list-skilled', 'the same beside the skilled twin', '% of a core', times(0.9)),
  row('B10-1000', 'at 1,000 values a second with an index page open', '% of a core', figureBelow(30)),
  row('B10-1000-skilled', 'the same beside the skilled twin', '% of a core', times(0.9)),
  row('B10-tray', 'in the tray, nothing published', '% of a core', figureBelow(0.2)),
  row('B10-tray-bare', 'the same beside a bare socket', '% of a core', times(2)),
  row('B10-tray-values', 'in the tray at 10 values a second', '% of a core', figureBelow(1)),
  row('B10-tray-values-bare', 'the same beside a bare socket', '% of a core', times(2)),
  row('B10-tray-1000', 'in the tray at 1,000 values a second', '% of a core', times(1)),
  row('B10-tray-1000-bare', 'the same beside a bare socket', '% of a core', times(2)),
  // The package. Its scripts may be a tenth larger than on 24 November 2026.
  counted(row('B13-package', 'Electron with the app and its modules, beside it bare', 'MB', times(1.15))),
  counted(row('B13-page', "the package's scripts of pages", 'kB', figure(950))),
  counted(row('B13-main', "the package's scripts of main and its threads", 'kB', figure(1_600))),
  // Costs of alerts, beside the budgets.
  further(row('alerts-value', 'a value judged by the four rules of its index, of 10,000 rules', 'µs CPU', figure(100))),
  further(row('alerts-change', 'one of 10,000 rules deleted and restored, beside one of 50', 'µs CPU', times(5))),
  further(row('alerts-start', '10,000 rules read and folded up to the last value', 'ms CPU', figure(2_000))),
  further(
    longest(
      row(
        'blocks-alerts',
        '3,000 alerts imported and fired, 100 of 10,000 deleted: longest block of main',
        'ms',
        figure(50),
      ),
    ),
  ),
  further(longest(row('blocks-silent', 'the same with a notification daemon that answers nothing', 'ms', figure(50)))),
  // A seat of a desk, beside the same app without one.
  further(row('desk-silent', 'in the tray as a seat of a desk, nothing published', '% of a core', times(1.05))),
  further(row('desk-values', 'the same at 10 values a second', '% of a core', times(1.05))),
  further(row('desk-memory', 'the same: memory (PSS)', 'MB', times(1.05))),
  // The longest block of main at three sizes. The limit is the smallest size.
  curve('curves-history', 'start with 15,000,000 values in the history'),
  curve('curves-weekend', '50 indices closed for 60 hours, two minutes after the start'),
  curve('curves-events', '100,000 events: start, and alerts page opened'),
  curve('curves-constituents', '500 constituents each second, page open'),
  curve('curves-catalogue', '5,000 indices of the provider: start, and indices page opened'),
  curve('curves-rows', '1,000 rows sorted by change, 1,000 values a second'),
  curve('curves-alerts', '10,000 alerts on one index, 10 values a second'),
  curve('curves-list-alert', 'an alert on 500 indices, alerts open, 1,000 values a second'),
]

export type RowName = (typeof rows)[number]['name']
