/** Plays a script to a rule at work and to the definitions, and says where they differ first. */
import * as v from 'valibot'
import { firedStepSchema } from '../../../../../main/alerts/fired-step'
import { ActiveRule, type Amendment } from '../../../../../main/alerts/active-rule'
import type { ValueSeen } from '../../../../../main/alerts/rules/observation'
import { initialState, phaseOf, stateSchema } from '../../../../../main/alerts/rules/state'
import type { AlertInputs } from '../../../../../protocol/alert-events'
import type { AlertRule } from '../../../../../protocol/alerts'
import type { Publication } from '../../../../../protocol/model'
import type { Entry } from './definitions'
import { ReferenceRun } from './reference-run'
import type { Script, Step, Wish } from './scripts'

const startMs = Date.UTC(2023, 10, 1, 12)
const cadence = 'PER_SECOND'

/** What is played to; a fault is planted by changing one of these on its way. */
export interface Fault {
  rule?: (rule: AlertRule) => AlertRule
  seen?: (seen: ValueSeen) => ValueSeen
  amendments?: (amendments: Amendment[]) => Amendment[]
  /** The state after a restart. */
  kept?: (state: ActiveRule['state'], first: 'wait' | 'fire') => ActiveRule['state']
}

export interface Played {
  firings: number
  amendments: number
  /** What each of the two said at the first step where they differ. */
  difference?: { step: number; app: string; definitions: string }
}

const idsFrom = () => {
  let last = 0
  return () => `e${++last}`
}

function ruleOf(wish: Wish): AlertRule {
  return { ...wish, id: 'r', indexId: 'BRTI', severity: 'normal', version: 1, createdAtMs: startMs }
}

function publicationOf({ atMs, value, isRepeat, amendedAtMs }: Entry): Publication {
  return {
    value,
    publishedAtMs: atMs,
    ...(amendedAtMs >= 0 && { amendedAtMs }),
    ...(isRepeat && { isRepeatOfPrevious: true as const }),
  }
}

/** The rule at work, with its events given ids as the engine does. */
class AppRun {
  #run: ActiveRule
  readonly #newId: () => string
  readonly #fault: Fault
  readonly #first: 'wait' | 'fire'

  constructor(rule: AlertRule, first: 'wait' | 'fire', newId: () => string, fault: Fault) {
    this.#run = new ActiveRule(fault.rule?.(rule) ?? rule, initialState(first))
    this.#first = first
    this.#newId = newId
    this.#fault = fault
  }

  get phase(): string {
    return phaseOf(this.#run.state)
  }

  see(seen: ValueSeen): string[] {
    const { firings } = this.#run.see(this.#fault.seen?.(seen) ?? seen)
    return firings.map(
      (inputs) => `fired ${this.#name(inputs)} ${inputs.publishedAtMs ?? ''} ${inputs.direction ?? ''}`,
    )
  }

  amend(publication: Publication): string[] {
    const amendments = this.#run.amend(publication)
    return (this.#fault.amendments?.(amendments) ?? amendments).map((amendment) => {
      const { kind, inputs } = amendment
      const { publishedAtMs, value, direction = '', amendedAtMs } = inputs
      const id = 'eventId' in amendment ? amendment.eventId : this.#name(inputs)
      const amended = kind === 'retracted' ? ` ${amendedAtMs ?? ''}` : ''
      return `${kind} ${id} ${publishedAtMs ?? ''} ${value ?? ''} ${direction}${amended}`
    })
  }

  restart(): void {
    const written = JSON.stringify({ state: this.#run.state, fired: this.#run.fired })
    const { state, fired } = v.parse(
      v.object({ state: stateSchema, fired: v.array(firedStepSchema) }),
      JSON.parse(written),
    )
    this.#run = new ActiveRule(this.#run.rule, this.#fault.kept?.(state, this.#first) ?? state, fired)
  }

  #name({ publishedAtMs }: AlertInputs): string {
    const id = this.#newId()
    if (publishedAtMs !== undefined) this.#run.noteEvent(id, publishedAtMs)
    return id
  }
}

/** The two side by side, with the index they hear of. */
class Stage {
  readonly #appIds = idsFrom()
  readonly #referenceIds = idsFrom()
  readonly #fault: Fault
  readonly #setClock: (byMs: number) => void
  #app: AppRun
  #reference: ReferenceRun
  #published: Entry[] = []
  #amendments = 0

  constructor({ wish, first }: Pick<Script, 'wish' | 'first'>, fault: Fault, setClock: (byMs: number) => void) {
    this.#fault = fault
    this.#setClock = setClock
    this.#app = new AppRun(ruleOf(wish), first, this.#appIds, fault)
    this.#reference = new ReferenceRun(ruleOf(wish), first, this.#referenceIds)
  }

  get phases(): [string, string] {
    return [this.#app.phase, this.#reference.phase]
  }

  /** What the app says of a step, and what the definitions do. */
  play(step: Step): [string[], string[]] {
    switch (step.kind) {
      case 'value': {
        const atMs = (this.#published.at(-1)?.atMs ?? startMs) + step.afterMs
        const entry = { atMs, value: step.value, isRepeat: step.isRepeat, amendedAtMs: -1 }
        const previous = this.#published.at(-1)
        this.#published.push(entry)
        return this.#see(entry, previous)
      }
      case 'amend': {
        const entry = this.#published.at(-1 - step.back)
        if (entry === undefined) return [[], []]
        const amendedAtMs = step.isLater ? startMs + ++this.#amendments : Math.max(entry.amendedAtMs, 0)
        const amended = { ...entry, value: step.value, isRepeat: step.isRepeat, amendedAtMs }
        if (amendedAtMs > entry.amendedAtMs) this.#published.splice(-1 - step.back, 1, amended)
        return this.#amend(amended)
      }
      case 'amendUnseen': {
        const atMs = (this.#published.at(-1 - step.back)?.atMs ?? startMs) - 500
        return this.#amend({ atMs, value: step.value, isRepeat: false, amendedAtMs: startMs + ++this.#amendments })
      }
      case 'restart':
        return this.#restart(step)
      case 'clock':
        this.#setClock(step.byMs)
        return [[], []]
      case 'edit': {
        this.#app = new AppRun(ruleOf(step.wish), step.first, this.#appIds, this.#fault)
        this.#reference = new ReferenceRun(ruleOf(step.wish), step.first, this.#referenceIds)
        const last = this.#published.at(-1)
        return last === undefined ? [[], []] : this.#see(last, undefined)
      }
    }
  }

  /** As the engine does: the last value is known from the cache, and an amendment of it is reported and then seen. */
  #restart({ comesAgain, amendedTo }: Extract<Step, { kind: 'restart' }>): [string[], string[]] {
    this.#app.restart()
    this.#reference.restart()
    const last = this.#published.at(-1)
    if (!comesAgain || last === undefined) return [[], []]
    if (amendedTo === undefined) return this.#see(last, last)
    const amended = { ...last, value: amendedTo, isRepeat: false, amendedAtMs: startMs + ++this.#amendments }
    this.#published.splice(-1, 1, amended)
    const [appLines, referenceLines] = this.#amend(amended)
    const seen = this.#see(amended, last)
    return [
      [...appLines, ...seen[0]],
      [...referenceLines, ...seen[1]],
    ]
  }

  #see(entry: Entry, previous: Entry | undefined): [string[], string[]] {
    const seen: ValueSeen = {
      kind: 'value',
      publication: publicationOf(entry),
      ...(previous !== undefined && { previous: { value: previous.value, publishedAtMs: previous.atMs } }),
      cadence,
    }
    const isSeenAgain = previous?.atMs === entry.atMs && previous.value === entry.value
    const fired = this.#reference.see(entry, isSeenAgain)
    return [this.#app.see(seen), fired.map(({ id, atMs, direction }) => `fired ${id} ${atMs} ${direction ?? ''}`)]
  }

  #amend(entry: Entry): [string[], string[]] {
    return [this.#app.amend(publicationOf(entry)), this.#reference.amend(entry)]
  }
}

export function play(script: Script, fault: Fault = {}, setClock: (byMs: number) => void = () => undefined): Played {
  const stage = new Stage(script, fault, setClock)
  const played: Played = { firings: 0, amendments: 0 }
  for (const [at, step] of script.steps.entries()) {
    const [app, reference] = stage.play(step)
    const [appPhase, referencePhase] = stage.phases
    const [said, defined] = [[...app, appPhase].join('\n'), [...reference, referencePhase].join('\n')]
    if (said !== defined) return { ...played, difference: { step: at, app: said, definitions: defined } }
    const firings = app.filter((line) => line.startsWith('fired ')).length
    played.firings += firings
    played.amendments += app.length - firings
  }
  return played
}
