/**
 * The definitions 1 to 5, 8, 11, 25 and 30 of alerts a second time, slow and plain: from the whole list of values, in
 * integers. Shares no code with the app. The property test compares the two.
 */
import {
  isMean,
  type AlertRule,
  type AlertTerms,
  type BandTerms,
  type LevelTerms,
  type MoveTerms,
} from '../../../../../core/alerts'

type Side = 'up' | 'down'

export interface Entry {
  atMs: number
  value: string
  isRepeat: boolean
  amendedAtMs: number
  /** Id of the connection. */
  source: string
}

/** State of a rule between two values. */
export interface Standing {
  /** What to do if the condition is true at the first comparison. Set until then. */
  first?: 'wait' | 'fire'
  armed: Side[]
  /** How long the condition has held on which side. */
  holds: { side: Side; sinceMs: number; heldMs: number; lastMs: number }[]
  /** For a rule that repeats: its last firing, until it re-arms. */
  repeating?: { side: Side; atMs: number }
  isDone: boolean
  /** For a rule that may fire when its hours start: the day of the last seen hours. */
  begunDay?: number
}

interface Reference {
  kind: string
  value: string
  atMs: number
}

export interface Fire {
  /** Outside the hours, so it is not notified. */
  isOutside?: true
  entry: Entry
  side: Side
  /** The direction in the event. Entering a band has none. */
  direction: Side | undefined
  reference?: Reference
  before: Standing
}

const known = new Map<string, bigint>()

/** A number in hundred-millionths. */
function units(text: string): bigint {
  const found = known.get(text)
  if (found !== undefined) return found
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const of = BigInt(whole + fraction.padEnd(8, '0'))
  known.set(text, text.startsWith('-') ? -of : of)
  return units(text)
}

const size = (of: bigint) => (of < 0n ? -of : of)
const longestGapMs = 10_000

interface Found {
  met: (side: Side) => boolean
  back: (side: Side) => boolean
  sides: Side[]
  direction: (side: Side) => Side | undefined
  reference?: Reference
}

function bandOf({ rearmBand }: LevelTerms | BandTerms, level: bigint): bigint {
  if (rearmBand === undefined) return 0n
  // Test levels have at most one decimal, so the division is exact.
  return rearmBand.unit === 'points' ? units(rearmBand.size) : (size(level) * BigInt(rearmBand.size)) / 10_000n
}

function findLevel(terms: LevelTerms, x: bigint): Found | undefined {
  const level = units(terms.level)
  if (x === 0n && level !== 0n) return undefined
  const band = bandOf(terms, level)
  const met = {
    risesTo: { up: x >= level, down: false },
    fallsTo: { up: false, down: x <= level },
    crosses: { up: x >= level, down: x <= level },
    isAbove: { up: x > level, down: false },
    isBelow: { up: false, down: x < level },
  }[terms.condition]
  const sides: Record<typeof terms.condition, Side[]> = {
    risesTo: ['up'],
    fallsTo: ['down'],
    crosses: ['up', 'down'],
    isAbove: ['up'],
    isBelow: ['down'],
  }
  return {
    met: (side) => met[side],
    back: (side) => (side === 'up' ? x < level - band : x > level + band),
    sides: sides[terms.condition],
    direction: (side) => side,
  }
}

function findBand(terms: BandTerms, x: bigint): Found | undefined {
  const low = units(terms.low)
  const high = units(terms.high)
  if (x === 0n && low !== 0n && high !== 0n) return undefined
  const [atLow, atHigh] = [bandOf(terms, low), bandOf(terms, high)]
  const isInside = low <= x && x <= high
  const isFarOutside = x < low - atLow || x > high + atHigh
  // If no value could be far enough inside, every value inside counts.
  const hasFarInside = low + atLow <= high - atHigh
  const isFarInside = hasFarInside ? low + atLow <= x && x <= high - atHigh : isInside
  const enters = terms.condition === 'entersBand'
  return {
    met: () => (enters ? isInside : !isInside),
    back: () => (enters ? isFarOutside : isFarInside),
    sides: ['up'],
    direction: () => (isInside ? undefined : x > high ? 'up' : 'down'),
  }
}

/**
 * Compares the newest value with the oldest, lowest and highest of these. Returns the largest change that the terms ask
 * for.
 */
function findMove(terms: MoveTerms, entry: Entry, inWindow: readonly Entry[]): Found {
  const x = units(entry.value)
  const minOf = (min: bigint, each: bigint) => (each < min ? each : min)
  const all = inWindow.map(({ value }) => units(value))
  const min = all.reduce(minOf, x)
  const max = -all.map((each) => -each).reduce(minOf, -x)
  const references = [
    { kind: 'oldest', entry: inWindow[0] },
    { kind: 'min', entry: inWindow.find(({ value }) => units(value) === min) },
    { kind: 'max', entry: inWindow.find(({ value }) => units(value) === max) },
  ].flatMap((each) => (each.entry === undefined ? [] : [{ kind: each.kind, entry: each.entry }]))
  // Compares changes in percent crosswise: a/b > c/d if ad > cb.
  const changes = references.map(({ kind, entry: from }) => {
    const base = units(from.value)
    return { kind, from, by: x - base, over: terms.unit === 'points' ? 1n : size(base) }
  })
  const asked = changes.filter(
    ({ by }) => (by > 0n && terms.direction !== 'down') || (by < 0n && terms.direction !== 'up'),
  )
  const best = asked.find((one) => asked.every((other) => size(one.by) * other.over >= size(other.by) * one.over))
  // In percent: by / over × 100 >= amount, with the amount in hundred-millionths.
  const isEnough =
    best !== undefined &&
    (terms.unit === 'points'
      ? size(best.by) >= units(terms.amount)
      : size(best.by) * 100n * 100_000_000n >= units(terms.amount) * best.over)
  return {
    met: (side) => isEnough && (side === 'up' ? best.by > 0n : best.by < 0n),
    back: () => true,
    sides: ['up', 'down'],
    direction: (side) => side,
    ...(best !== undefined && {
      reference: { kind: best.kind, value: best.from.value, atMs: best.from.atMs },
    }),
  }
}

/** The move at the last value of a run. Undefined until the window is covered. */
function moveFound(terms: MoveTerms, run: readonly Entry[], fires: readonly Fire[]): Found | undefined {
  const usable = run.filter(({ value, isRepeat }) => !isRepeat && units(value) !== 0n)
  const entry = run.at(-1)
  const [first] = usable
  if (entry === undefined || first === undefined || usable.at(-1) !== entry) return undefined
  const firedMs = fires.at(-1)?.entry.atMs
  if (firedMs === undefined && entry.atMs - first.atMs < terms.withinMs) return undefined
  const inWindow = usable.filter(({ atMs }) => atMs >= entry.atMs - terms.withinMs && atMs >= (firedMs ?? 0))
  return findMove(terms, entry, inWindow)
}

export function findIn(terms: AlertTerms, run: readonly Entry[], fires: readonly Fire[]): Found | undefined {
  const entry = run.at(-1)
  if (entry === undefined) return undefined
  if (terms.condition === 'moves') return moveFound(terms, run, fires)
  if (isMean(terms)) throw new Error('the model has no means: see conditions/means.test.ts')
  if ('level' in terms) return findLevel(terms, units(entry.value))
  return 'low' in terms ? findBand(terms, units(entry.value)) : undefined
}

type Held = Standing['holds'][number]

function longer(side: Side, entry: Entry, hold: Held | undefined): Held {
  if (hold === undefined) return { side, sinceMs: entry.atMs, heldMs: 0, lastMs: entry.atMs }
  const gapMs = entry.atMs - hold.lastMs
  return { ...hold, heldMs: hold.heldMs + (gapMs > longestGapMs ? 0 : gapMs), lastMs: entry.atMs }
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The day, as its midnight in UTC, whose hours contain this time. Tries the hours of the days around it. */
function dayOfHours({ hours }: AlertRule, atMs: number): number | undefined {
  if (hours === undefined) return undefined
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  const [from, to] = [minutes(hours.from), minutes(hours.to)]
  const midnight = new Date(atMs).setUTCHours(0, 0, 0, 0)
  return [midnight, midnight - 86_400_000].find((day) => {
    const isDay = hours.days.some((name) => name === weekdays[new Date(day).getUTCDay()])
    const endMs = day + (to > from ? to : to + 24 * 60) * 60_000
    return isDay && day + from * 60_000 <= atMs && atMs < endMs
  })
}

/** One value: the next state and the firing. */
export function judge(rule: AlertRule, before: Standing, entry: Entry, found: Found | undefined) {
  if (before.isDone || found === undefined) return { after: before }
  if (entry.isRepeat) {
    if (rule.countsRepeats !== true || rule.terms.condition === 'moves') return { after: before }
    const holds = before.holds.flatMap((hold) => (found.met(hold.side) ? [longer(hold.side, entry, hold)] : []))
    return { after: { ...before, holds } }
  }
  const isMove = rule.terms.condition === 'moves'
  const firesAtFirst = isMove || (before.first === 'fire' && rule.terms.condition !== 'crosses')
  const day = dayOfHours(rule, entry.atMs)
  const isOutside = rule.hours !== undefined && day === undefined
  const isStart = rule.hours?.alsoIfTrue === true && day !== undefined && day !== before.begunDay
  const begunDay = isStart ? day : before.begunDay
  const armed = found.sides.filter((side) =>
    before.first === undefined
      ? before.armed.includes(side) || (isStart && found.met(side))
      : firesAtFirst || !found.met(side),
  )
  const running = rule.holdMs === undefined ? [] : holdsNow(before, entry, found, armed)
  const due = armed.filter((side) => found.met(side) && isHeld(rule, before, entry, running, side))
  const { repeating: last } = before
  const repeating = last !== undefined && (found.met(last.side) || !found.back(last.side)) ? last : undefined
  const repeatMs = rule.repeat.mode === 'whileTrue' ? rule.repeat.everyMinutes * 60_000 : Infinity
  const isAgain =
    repeating !== undefined &&
    found.met(repeating.side) &&
    running.length === 0 &&
    entry.atMs - repeating.atMs >= repeatMs
  const side = due[0] ?? (isAgain ? repeating.side : undefined)
  const after: Standing = {
    armed: found.sides.filter((each) => found.back(each) || (armed.includes(each) && each !== side)),
    holds: running.filter((hold) => hold.side !== side),
    ...(begunDay !== undefined && { begunDay }),
    ...(isOutside
      ? {}
      : side === undefined
        ? repeating !== undefined && { repeating }
        : repeatMs < Infinity && { repeating: { side, atMs: entry.atMs } }),
    isDone: side !== undefined && !isOutside && rule.repeat.mode === 'once',
  }
  if (side === undefined) return { after }
  const { reference } = found
  const direction = found.direction(side)
  return {
    after,
    fire: {
      ...(isOutside && { isOutside }),
      entry,
      side,
      direction,
      before,
      ...(reference !== undefined && { reference }),
    },
  }
}

/** At a level reached from both sides, the side that has held longer counts. */
function holdsNow(before: Standing, entry: Entry, found: Found, armed: readonly Side[]): Held[] {
  const holding = (side: Side) => armed.includes(side) && found.met(side)
  const going = before.holds.find((hold) => holding(hold.side))
  const side = going?.side ?? found.sides.find(holding)
  return side === undefined ? [] : [longer(side, entry, going)]
}

/** Held long enough, and not at a gap, which pauses the hold. */
function isHeld({ holdMs }: AlertRule, before: Standing, entry: Entry, running: readonly Held[], side: Side): boolean {
  if (holdMs === undefined) return true
  const hold = running.find((each) => each.side === side)
  const was = before.holds.find((each) => each.side === side)
  const isGap = was !== undefined && entry.atMs - was.lastMs > longestGapMs
  return hold !== undefined && hold.heldMs >= holdMs && !isGap
}

export function phaseOf(standing: Standing): string {
  if (standing.isDone) return 'triggered'
  if (standing.first !== undefined) return 'waiting'
  if (standing.holds.length > 0) return 'holding'
  return standing.armed.length > 0 ? 'armed' : 'disarmed'
}
