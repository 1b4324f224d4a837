import * as v from 'valibot'
import { ruleWords } from '../../core/alert-words'
import type { AlertDraft } from '../../core/alerts'
import type { AlertProposal, AssistantCall, AssistantsView } from '../../protocol/assistants'
import { ok, done, failure, type IndexId, type Outcome, type Problem, type Watchlist } from '../../core/model'
import { CallLimit } from '../base/call-limit'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { sanitizeText } from '../base/sanitize'
import { Throttle } from '../base/throttle'
import { SerialTasks } from '../base/serial-tasks'
import type { Channel, ChannelListener } from './private-socket'
import { assistantsOff, type ProgramData, type ProposalState } from './program-data'
import { aboutCall, answerTool } from './tools'
import { fromAssistantSchema, wireVersion, type FromApp } from './wire'

interface Options {
  clock: Clock
  newId: () => string
  /** Opens the private socket. The result closes it. */
  listen: (onChannel: (channel: Channel<FromApp>) => ChannelListener) => Promise<Outcome<() => void>>
  /** Current data for the tools. */
  data: () => Omit<ProgramData, 'proposals' | 'propose'>
  watchlists: () => readonly Watchlist[]
  /** Why the draft is not a valid rule. Undefined if it is. */
  faultOf: (draft: AlertDraft) => Outcome<never> | undefined
  /** Removes secrets from a text. */
  redact: (text: string) => string
  onError: (error: unknown) => void
}

export interface AccessEvents {
  changed: AssistantsView
}

const maxClients = 8
/** Largest number of waiting calls of one assistant. */
const maxWaiting = 100
const maxCallsShown = 100
const maxProposals = 5
const maxEndedProposals = 20
const helloWithinMs = 5_000
/** An assistant is told of changed values of a list at most this often. */
const changesSpacingMs = 2_000
/** The window is told of calls at most this often. */
const viewSpacingMs = 250

interface Client {
  id: string
  channel: Channel<FromApp>
  /** One for each assistant, so that one that calls in a loop does not slow down others. */
  limit: CallLimit
  /** Undefined until its hello. */
  name?: string
  sinceMs: number
  waiting: number
  watched: ReadonlySet<string>
  changed: Set<string>
  changes: Throttle
  cancelHello: () => void
}

/**
 * Controls what assistants may do with the running app. It admits them while the user allows it, answers their calls
 * one at a time, records the calls for the window, and keeps proposals until the user decides.
 */
export class AssistantAccess {
  readonly events: Emitter<AccessEvents>
  readonly #options: Options
  readonly #clients = new Set<Client>()
  readonly #changes: Throttle
  #calls: AssistantCall[] = []
  #proposals: AlertProposal[] = []
  #ended: ProposalState[] = []
  #problem: string | undefined
  #isOn = false
  #listNames = ''
  #close: (() => void) | undefined
  readonly #switches = new SerialTasks()
  /** One call at a time, so that queries of assistants do not delay the alert engine's commits. */
  readonly #answers = new SerialTasks()

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
    this.#changes = new Throttle({
      clock: options.clock,
      spacingMs: viewSpacingMs,
      run: () => this.events.emit('changed', this.view),
    })
  }

  get view(): AssistantsView {
    const clients = [...this.#clients].flatMap(({ id, name, sinceMs }) =>
      name === undefined ? [] : [{ id, name, sinceMs }],
    )
    return {
      clients,
      calls: this.#calls,
      proposals: this.#proposals,
      problem: this.#problem,
    }
  }

  /** Turns access on or off. Turning it off ends all calls and proposals immediately. */
  setAllowed(isOn: boolean): void {
    if (isOn === this.#isOn) return
    this.#isOn = isOn
    if (!isOn) this.#end(assistantsOff.problem)
    void this.#switches.run(() => this.#apply())
  }

  /** A value of this index was received. */
  valueSeen(id: IndexId): void {
    if (this.#clients.size === 0) return
    const watching = [...this.#clients].filter(({ watched }) => watched.size > 0)
    if (watching.length === 0) return
    for (const { name, entries } of this.#options.watchlists()) {
      if (!entries.some((entry) => entry.id === id)) continue
      for (const client of watching.filter(({ watched }) => watched.has(name))) {
        client.changed.add(name)
        client.changes.request()
      }
    }
  }

  /** The watchlists may have changed. */
  listsSeen(): void {
    const names = JSON.stringify(this.#options.watchlists().map(({ name }) => name))
    if (names === this.#listNames) return
    this.#listNames = names
    for (const { channel } of this.#clients) channel.send({ listsChanged: true })
  }

  /** The user accepted or declined a proposal. */
  endProposal(proposalId: string, state: 'accepted' | 'declined'): Outcome<null> {
    const proposal = this.#proposals.find(({ id }) => id === proposalId)
    if (proposal === undefined) return failure('unknownProposal', 'That proposal no longer exists.')
    this.#proposals = this.#proposals.filter(({ id }) => id !== proposalId)
    this.#ended = [...this.#ended, proposalState(proposal, state)].slice(-maxEndedProposals)
    this.#changes.request()
    return done
  }

  dispose(): void {
    this.#end({ code: 'notRunning', message: 'Indexwatch was closed.' })
    this.#isOn = false
    this.#closeUnlessOn()
    this.#changes.cancel()
  }

  async #apply(): Promise<void> {
    if (this.#isOn && this.#close === undefined) {
      const listening = await this.#options.listen((channel) => this.#meet(channel))
      this.#problem = listening.ok ? undefined : listening.problem.message
      if (listening.ok) this.#close = listening.value
    }
    // Access may have been turned off, or the app may be quitting, while the socket opened.
    this.#closeUnlessOn()
    this.#changes.request()
  }

  #closeUnlessOn(): void {
    if (this.#isOn) return
    this.#close?.()
    this.#close = undefined
    this.#problem = undefined
  }

  #end(why: Problem): void {
    for (const { channel } of this.#clients) bye(channel, why)
    this.#proposals = []
    this.#ended = []
    this.#changes.request()
  }

  #meet(channel: Channel<FromApp>): ChannelListener {
    const { clock, newId } = this.#options
    const client: Client = {
      id: newId(),
      channel,
      limit: new CallLimit(clock),
      sinceMs: clock.wallMs(),
      waiting: 0,
      watched: new Set(),
      changed: new Set(),
      changes: new Throttle({
        clock,
        spacingMs: changesSpacingMs,
        run: () => {
          channel.send({ changed: [...client.changed] })
          client.changed.clear()
        },
      }),
      cancelHello: clock.after(helloWithinMs, () => channel.close()),
    }
    const refusal = this.#refusalToMeet()
    if (refusal === undefined) this.#clients.add(client)
    else bye(channel, refusal)
    return {
      onMessage: (message) => {
        if (this.#clients.has(client)) this.#take(client, message)
      },
      onClosed: () => {
        client.cancelHello()
        client.changes.cancel()
        if (this.#clients.delete(client)) this.#changes.request()
      },
    }
  }

  #refusalToMeet(): Problem | undefined {
    if (!this.#isOn) return assistantsOff.problem
    if (this.#clients.size < maxClients) return undefined
    return { code: 'rateLimited', message: `At most ${maxClients} assistants can be connected at once. Close one.` }
  }

  #take(client: Client, message: unknown): void {
    const read = v.safeParse(fromAssistantSchema, message)
    if (!read.success) {
      bye(client.channel, { code: 'badArguments', message: 'The assistant sent an unreadable message.' })
      return
    }
    const asked = read.output
    if ('hello' in asked) this.#greet(client, asked.hello)
    else if (client.name === undefined) client.channel.close()
    else if ('watch' in asked) client.watched = new Set(asked.watch)
    else void this.#call(client, client.name, asked)
  }

  #greet(client: Client, { version, client: name }: { version: number; client: string }): void {
    client.cancelHello()
    if (version === wireVersion) {
      client.name = this.#plain(name) || 'An assistant'
      this.#changes.request()
      return
    }
    const message =
      'The running Indexwatch has another version than the one that this assistant started. Restart the assistant.'
    bye(client.channel, { code: 'newerVersion', message })
  }

  async #call(
    client: Client,
    name: string,
    { call, tool, args }: { call: number; tool: string; args?: unknown },
  ): Promise<void> {
    const { clock, newId } = this.#options
    const asked: AssistantCall = {
      id: newId(),
      atMs: clock.wallMs(),
      client: name,
      tool: this.#plain(tool, 60),
      about: this.#plain(aboutCall(args)),
    }
    const answer = await this.#answer(client, asked, { tool, args })
    if (!this.#clients.has(client)) return
    if (answer.ok) client.channel.send({ answered: call, text: this.#options.redact(answer.value) })
    else {
      const { code, message } = answer.problem
      client.channel.send({ refused: call, problem: { code, message: this.#options.redact(message) } })
    }
    this.#note({ ...asked, ...(!answer.ok && { problem: this.#plain(answer.problem.message) }) })
  }

  async #answer(
    client: Client,
    asked: AssistantCall,
    { tool, args }: { tool: string; args?: unknown },
  ): Promise<Outcome<string>> {
    const admitted = client.limit.admit()
    if (!admitted.ok) return admitted
    if (client.waiting >= maxWaiting)
      return failure('rateLimited', `More than ${maxWaiting} calls are waiting. Wait for them.`)
    client.waiting++
    try {
      return await this.#answers.run(async () => {
        // The client may have left, or access may have been turned off, while other calls ran.
        if (!this.#clients.has(client) || !this.#isOn) return assistantsOff
        return answerTool(this.#dataFor(asked), tool, args)
      })
    } catch (error) {
      this.#options.onError(error)
      return failure('internal', 'Indexwatch could not answer. See its log.')
    } finally {
      client.waiting--
    }
  }

  #dataFor({ client, atMs }: AssistantCall): ProgramData {
    return {
      ...this.#options.data(),
      proposals: [...this.#ended, ...this.#proposals.map((each) => proposalState(each, 'waiting'))],
      propose: (draft) => {
        const plain = JSON.parse(this.#options.redact(JSON.stringify(draft))) as AlertDraft
        return this.#propose({ id: this.#options.newId(), atMs, client, draft: plain })
      },
    }
  }

  #propose(proposal: AlertProposal): Outcome<string> {
    const fault = this.#options.faultOf(proposal.draft)
    if (fault !== undefined) return fault
    if (this.#proposals.length >= maxProposals) {
      return failure(
        'tooManyProposals',
        `${maxProposals} proposals already wait for the user. Wait until they have decided.`,
      )
    }
    this.#proposals = [...this.#proposals, proposal]
    this.#changes.request()
    return ok(proposal.id)
  }

  #note(call: AssistantCall): void {
    this.#calls = [call, ...this.#calls].slice(0, maxCallsShown)
    this.#changes.request()
  }

  /** A text from an assistant, sanitized for the window. */
  #plain(text: string, maxLength = 200): string {
    return sanitizeText(this.#options.redact(text), maxLength)
  }
}

function bye(channel: Channel<FromApp>, why: Problem): void {
  channel.send({ bye: why })
  channel.close()
}

function proposalState({ id, draft }: AlertProposal, state: ProposalState['state']): ProposalState {
  return { id, words: ruleWords(draft, (text) => text), state }
}
