/** What is measured at growing sizes, how it is drawn, and what docs/performance.md says of it; pure. */

/** One measurement of a curve: its size and its figures, by the keys of its columns. */
export type Point = Record<string, number>

interface Column {
  readonly key: string
  readonly label: string
  readonly unit?: string
}

export interface Curve {
  readonly name: string
  readonly title: string
  /** What is measured, and why it grows as it does. */
  readonly words: string
  /** What grows. */
  readonly size: Column
  readonly figures: readonly Column[]
  /** Keys of the figures that are drawn together, of one unit. */
  readonly panels: readonly (readonly string[])[]
  /** Each size is many times the one before. */
  readonly isLogarithmic: boolean
}

/** One run of a curve. */
export interface Measured {
  readonly at: string
  readonly machine: string
  /** Of the last minute, before and after. */
  readonly load: readonly [number, number]
  readonly points: readonly Point[]
}

/** By the name of the curve; one that was not measured yet is missing. */
export type AllMeasured = Readonly<Partial<Record<string, Measured>>>

export const curves = [
  {
    name: 'indices',
    title: 'Rows of a list',
    words:
      'The built app with one list of so many rows: CPU of all processes from its start until the rows in sight have their first values and all were asked for, CPU at a hundred values a second over all rows, and rows in the document. Only rows in sight are drawn, so the longer the list, the fewer of its values cost a frame: this figure falls. What grows is what is asked for each row at the start.',
    size: { key: 'rows', label: 'Rows' },
    figures: [
      { key: 'opened', label: 'CPU until shown', unit: 's' },
      { key: 'cpu', label: 'CPU at 100 values a second', unit: '%' },
      { key: 'drawn', label: 'Rows in the document' },
    ],
    panels: [['opened'], ['cpu']],
    isLogarithmic: true,
  },
  {
    name: 'messages',
    title: 'Messages a second',
    words:
      'The built app with 200 rows that all change: CPU of all its processes in percent of one processor, and rows that did not show their last value a second after the last message. What is drawn is bounded by frames, so the first thousand messages cost the most. From 20,000 a second on (100 values a second of each index, where the service publishes five) both processors are full, of the app and of what sends to it: the curve ends there. With other work beside it, the app fell behind at 50,000.',
    size: { key: 'messages', label: 'Messages a second' },
    figures: [
      { key: 'cpu', label: 'CPU', unit: '%' },
      { key: 'lost', label: 'Rows without their last value' },
    ],
    panels: [['cpu']],
    isLogarithmic: true,
  },
  {
    name: 'constituents',
    title: 'Constituents of a frame',
    words:
      'CPU to receive, decode and store a frame of so many constituents by the real modules, beside a bare socket with `JSON.parse`.',
    size: { key: 'constituents', label: 'Constituents' },
    figures: [
      { key: 'ours', label: 'Indexwatch', unit: 'µs' },
      { key: 'limit', label: 'Bare socket', unit: 'µs' },
    ],
    panels: [['ours', 'limit']],
    isLogarithmic: true,
  },
  {
    name: 'rules',
    title: 'Rules',
    words:
      'CPU of the alert engine for one value, none of which fires a rule: four rules on each index, so that more rules are more indices, and all of them on one index, where each is judged. The app has at most 10,000. At so many on one index a rule costs more than at 2,000: in its profile garbage collection goes from 6 to 11 % and the writing of kept states from 3 to 8, and nothing else stands out.',
    size: { key: 'rules', label: 'Rules' },
    figures: [
      { key: 'spread', label: 'Four on each index', unit: 'µs' },
      { key: 'one', label: 'All on one index', unit: 'µs' },
    ],
    panels: [['spread', 'one']],
    isLogarithmic: true,
  },
  {
    name: 'inbox',
    title: 'Events of the inbox',
    words:
      'CPU on the tape and around it for what a start asks of the alerts, and for a page from the middle of the inbox. Up to 200 events, the size of a page, there are more to read; then both are flat.',
    size: { key: 'events', label: 'Events' },
    figures: [
      { key: 'start', label: 'The start', unit: 'µs' },
      { key: 'back', label: 'A page further back', unit: 'µs' },
    ],
    panels: [['start', 'back']],
    isLogarithmic: true,
  },
  {
    name: 'catalogue',
    title: 'Indices of the service',
    words:
      "CPU to read the service's answer, and the page _Indices_ of the built app: until it is drawn, CPU of all processes by then and in the second after, and rows in the document. Only rows in sight are in the document: with all of them, 5,000 took 9.3 s to open on a busy machine.",
    size: { key: 'entries', label: 'Indices' },
    figures: [
      { key: 'read', label: 'CPU to read', unit: 'ms' },
      { key: 'opened', label: 'Page open after', unit: 'ms' },
      { key: 'cpu', label: 'CPU of opening', unit: 'ms' },
      { key: 'drawn', label: 'Rows in the document' },
    ],
    panels: [['opened', 'cpu', 'read']],
    isLogarithmic: true,
  },
  {
    name: 'hours',
    title: 'Half an hour at a thousand values a second',
    words:
      'The built app with 200 rows and an index page open: memory of all processes each minute. PSS counts what is shared with another running Electron in parts; own memory (anonymous pages) is what no other program has a part in. The steps of PSS are other instances that began or ended; own memory grew by the page most (98 to 121 MB), which keeps the values of the open chart; that these are the cause has not been shown. From minute 5 to 30 it is 6 % more, 34 MB an hour by the two ends.',
    size: { key: 'minute', label: 'Minute' },
    figures: [
      { key: 'pss', label: 'PSS', unit: 'MB' },
      { key: 'own', label: 'Own memory', unit: 'MB' },
      { key: 'cpu', label: 'CPU', unit: '%' },
    ],
    panels: [['pss', 'own'], ['cpu']],
    isLogarithmic: false,
  },
] as const satisfies readonly Curve[]

export type CurveName = (typeof curves)[number]['name']

/** The curves of these names; all but the long one where none is given. */
export function selectCurves(names: readonly string[]): CurveName[] {
  const known = curves.map(({ name }) => name)
  const unknown = names.filter((name) => !known.some((each) => each === name))
  if (unknown.length > 0) throw new RangeError(`no such curve: ${unknown.join(', ')}; there are ${known.join(', ')}`)
  return known.filter((name) => (names.length === 0 ? name !== 'hours' : names.includes(name)))
}
