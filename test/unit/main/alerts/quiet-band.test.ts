/** Passing values over together must not show: results equal those of rules that see each value. */
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import { conditions } from '../../../../core/conditions/list'
import type { Condition } from '../../../../core/evaluation/condition'
import type { Publication, Quote, Resolution } from '../../../../core/model'
import type { Source } from '../../../../core/publication'
import { AlertEngine } from '../../../../main/alerts/engine'
import { QuietBand } from '../../../../main/alerts/quiet-band'
import type { StoredValue } from '../../../../main/history-store/contract'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { RecordedLog } from '../../../support/recorded-log'
import { scripts, type Wish } from './model/scripts'

const runs = Number(process.env['INDEXWATCH_PROPERTY_RUNS'] ?? '30')
const startMs = Date.UTC(2023, 10, 1, 12)
const sources: readonly Source[] = ['A', 'B'].map((id) => ({ id, name: `Desk ${id}` }))

afterEach(() => {
  vi.restoreAllMocks()
})

type Step =
  | { kind: 'value'; afterMs: number; value: string; isRepeat: boolean; isAmended: boolean }
  | { kind: 'look' | 'remove' | 'undo' | 'restart'; at: number }
  | { kind: 'add' | 'edit'; at: number; wish: Wish; more: { cooldownMs?: number; lastsMs?: number } }
  | { kind: 'source'; at: number }
  | { kind: 'cadence'; cadence: Resolution | undefined }
  /** A late value, this long before the newest one. Negative if the stream is further behind. */
  | { kind: 'late'; backMs: number; value: string; isAwaited: boolean }

const wishes = scripts(['level', 'level', 'band']).map(({ wish }) => wish)
const more = fc.record(
  { cooldownMs: fc.constantFrom(1_000, 60_000), lastsMs: fc.constantFrom(2_000, 90_000) },
  { requiredKeys: [] },
)
const at = fc.nat({ max: 9 })
/** Tenths around a number, and numbers that floats can hardly tell from them, or not at all. */
const around = (center: number) =>
  fc
    .tuple(
      fc.integer({ min: center - 5, max: center + 5 }),
      fc.constantFrom('', '', '', '00000000000001', '00000000000000000001'),
    )
    .map(([tenths, nearly]) => `${(tenths / 10).toFixed(1)}${nearly}`)
const values = fc.oneof(
  { arbitrary: around(100), weight: 20 },
  { arbitrary: around(-100), weight: 1 },
  { arbitrary: around(0), weight: 1 },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('value' as const),
      afterMs: fc.constantFrom(0, 1, 1_000, 1_000, 1_000, 61_000),
      value: values,
      isRepeat: fc.nat({ max: 19 }).map((drawn) => drawn === 0),
      isAmended: fc.nat({ max: 19 }).map((drawn) => drawn === 0),
    }),
    weight: 60,
  },
  { arbitrary: fc.record({ kind: fc.constantFrom('look' as const, 'remove', 'undo', 'restart'), at }), weight: 8 },
  { arbitrary: fc.record({ kind: fc.constantFrom('add' as const, 'edit'), at, wish: wishes, more }), weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant('source' as const), at }), weight: 4 },
  {
    arbitrary: fc.record({
      kind: fc.constant('cadence' as const),
      cadence: fc.constantFrom<(Resolution | undefined)[]>('PER_SECOND', 'PER_MINUTE', undefined),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('late' as const),
      backMs: fc.constantFrom(500, 5_000, -2_500),
      isAwaited: fc.boolean(),
      value: values,
    }),
    weight: 3,
  },
)
const plays = fc.record({
  begun: fc.array(fc.tuple(wishes, more), { minLength: 1, maxLength: 4 }),
  steps: fc.array(step, { minLength: 10, maxLength: 60 }),
})

interface Timed {
  cooldownMs?: number
  lastsMs?: number
}

/** Everything that an engine says and stores in the course of a play. */
class Stage {
  readonly said: unknown[] = []
  readonly #clock = new FakeClock(startMs)
  readonly #history = new MemoryHistory()
  #made = 0
  #engine = this.#open()
  readonly #ids: string[] = []
  readonly #deleted: string[] = []
  #previous: Quote | undefined
  #source = sources[0]
  #cadence: Resolution | undefined = 'PER_SECOND'

  async play(begun: readonly (readonly [Wish, Timed])[], steps: readonly Step[]): Promise<unknown[]> {
    await this.#engine.use()
    for (const [wish, timed] of begun) await this.#add(wish, timed)
    for (const each of steps) await this.#do(each)
    await this.#restart()
    this.#look()
    this.said.push(this.#history.written)
    this.#history.giveBack()
    return this.said
  }

  async #do(each: Step): Promise<void> {
    switch (each.kind) {
      case 'value':
        this.#publish(each)
        break
      case 'look':
        await this.#engine.flush()
        this.#look()
        break
      case 'add':
        await this.#add(each.wish, each.more, each.at % 2 === 0 ? this.#previous : undefined)
        break
      case 'edit':
        await this.#engine.edit(this.#idAt(each.at), this.#draft(each.wish, each.more), 'wait', this.#previous)
        break
      case 'remove': {
        const id = this.#idAt(each.at)
        if ((await this.#engine.remove(id)).ok) this.#deleted.push(id)
        break
      }
      case 'undo':
        await this.#engine.putBack(this.#deleted.pop() ?? '')
        break
      case 'restart':
        await this.#restart()
        break
      case 'source':
        this.#source = sources[each.at % sources.length]
        break
      case 'cadence':
        this.#cadence = each.cadence
        break
      case 'late':
        await this.#learn(each)
    }
  }

  #publish({ afterMs, value: text, isRepeat, isAmended }: Extract<Step, { kind: 'value' }>): void {
    this.#clock.advance(afterMs)
    const previous = this.#previous
    const publishedAtMs = (previous?.publishedAtMs ?? startMs) + afterMs
    const next: Quote = {
      id: 'BRTI',
      value: text,
      publishedAtMs,
      source: 'stream',
      ...(isRepeat && { isRepeatOfPrevious: true as const }),
      ...(isAmended && { amendedAtMs: publishedAtMs + 1 }),
    }
    this.#history.append([this.#stored(next)])
    this.#engine.consider(previous, next, this.#source)
    this.#previous = next
  }

  async #learn({ backMs, value: text, isAwaited }: Extract<Step, { kind: 'late' }>): Promise<void> {
    const late = { value: text, publishedAtMs: (this.#previous?.publishedAtMs ?? startMs) - backMs }
    this.#history.append([this.#stored(late)])
    this.#engine.considerPast('BRTI', late, this.#source)
    if (isAwaited) await this.#engine.flush()
  }

  #stored(value: Publication): StoredValue {
    const { id: connectionId = '', name: connection = '' } = this.#source ?? {}
    const { value: text, publishedAtMs, amendedAtMs, isRepeatOfPrevious } = value
    const revision = {
      ...(amendedAtMs !== undefined && { amendedAtMs }),
      ...(isRepeatOfPrevious && { isRepeatOfPrevious }),
    }
    const learned = { learnedAtMs: this.#clock.wallMs(), origin: 'stream', connection, connectionId } as const
    return { id: 'BRTI', value: text, publishedAtMs, ...revision, ...learned }
  }

  async #add(wish: Wish, timed: Timed, latest?: Quote): Promise<void> {
    const made = await this.#engine.create(this.#draft(wish, timed), 'wait', latest)
    if (made.ok) this.#ids.push(made.value.id)
  }

  #draft(wish: Wish, { cooldownMs, lastsMs }: Timed): AlertDraft {
    return {
      ...wish,
      indexId: 'BRTI',
      severity: 'normal',
      ...(cooldownMs !== undefined && { cooldownMs }),
      ...(lastsMs !== undefined && { expiresAt: { atMs: this.#clock.wallMs() + lastsMs, timeZone: 'UTC' } }),
    }
  }

  #idAt(at: number): string {
    return this.#ids[at % Math.max(1, this.#ids.length)] ?? ''
  }

  #look(): void {
    const engine = this.#engine
    this.said.push(
      engine.views(),
      engine.inbox(),
      this.#ids.map((id) => engine.explain(id)),
    )
  }

  async #restart(): Promise<void> {
    this.#engine.dispose()
    await this.#engine.flush()
    this.#look()
    this.#engine = this.#open()
    await this.#engine.use()
  }

  #open(): AlertEngine {
    return new AlertEngine({
      clock: this.#clock,
      newId: () => `id-${this.#made++}`,
      log: new RecordedLog(),
      history: this.#history,
      cadenceOf: () => this.#cadence,
      originOf: () => ({ connection: 'Desk', isDemo: false }),
    })
  }
}

type Play = Parameters<Stage['play']>

/** An engine whose rules pass values over together says the same as one whose rules see each value. */
async function compare(...[begun, steps]: Play): Promise<void> {
  const together = await new Stage().play(begun, steps)
  const none = vi.spyOn(QuietBand, 'around').mockReturnValue(undefined)
  const apart = await new Stage().play(begun, steps)
  none.mockRestore()
  expect(together).toEqual(apart)
}

const isHidden = fc.asyncProperty(plays, ({ begun, steps }) => compare(begun, steps))

test(
  'rules that pass values over together end as rules that see each value',
  async () => {
    const take = vi.spyOn(QuietBand.prototype, 'take')
    await fc.assert(isHidden, { numRuns: runs })
    expect(take.mock.results.filter(({ value: isPassed }) => isPassed === true).length).toBeGreaterThan(runs / 2)
    // A run takes 40 ms of CPU. No run may be cut short.
  },
  60_000 + 400 * runs,
)

const every = { mode: 'everyCrossing' } as const
const crossesAt = (level: string): Wish => ({ terms: { condition: 'crosses', level }, repeat: every })
const crosses = crossesAt('10')
const amended: Wish = { terms: { condition: 'amended' }, repeat: every }
const published = (value: string, afterMs = 10) => {
  return { kind: 'value' as const, afterMs, value, isRepeat: false, isAmended: false }
}

test.each<[string, Step[]]>([
  ['from another source', [{ kind: 'source', at: 1 }, published('9.4')]],
  ['of an index that publishes at another rate now', [{ kind: 'cadence', cadence: 'PER_MINUTE' }, published('9.4')]],
  // The stream is behind what was learned, so the rule ignores its next value.
  [
    'that follows one learned late',
    [{ kind: 'late', backMs: -2_500, value: '10.5', isAwaited: true }, published('9.4'), published('9.5', 5_000)],
  ],
  [
    'of an index that is evaluated again',
    [
      { kind: 'late', backMs: 15, value: '10.5', isAwaited: false },
      ...Array.from({ length: 20 }, () => published('9.4')),
    ],
  ],
  [
    'that is the first of a new rule',
    [{ kind: 'add', at: 1, wish: crossesAt('9.45'), more: {} }, published('9.4'), published('9.5')],
  ],
  [
    'that an alert on amendments sees',
    [{ kind: 'add', at: 0, wish: amended, more: {} }, published('9.4'), { ...published('9.4'), isAmended: true }],
  ],
])('a value %s is not passed over', async (_, steps) => {
  await compare([[crosses, {}]], [...['9.2', '9.3', '9.2'].map((each) => published(each)), ...steps])
})

test('a thousand values passed over together store the state that they would store one by one', async () => {
  const steps = Array.from({ length: 2_100 }, (_, at) => published(at % 2 === 0 ? '9.5' : '9.6'))
  await compare([[crosses, {}]], steps)
})

test.each([
  ['one unit', 0.1],
  ['as little as a float can tell', 2e-15],
])('the comparison finds a band that is too wide by %s', async (_, by) => {
  const fallen = ['10.2', '10.3', '10.2', '10'].map((each) => published(each))
  await compare([[crosses, {}]], fallen)
  const spec: Condition = conditions.crosses as Condition
  const edges = spec.edges?.bind(spec)
  vi.spyOn(spec, 'edges').mockImplementation((terms) => (edges?.(terms) ?? []).map((edge) => edge - by))
  await expect(compare([[crosses, {}]], fallen)).rejects.toThrow('deeply equal')
})
