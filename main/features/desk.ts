import { join } from 'node:path'
import { deskPeer, readMessage } from '../../core/desk'
import { done, failure, ok, type Outcome, type SavedDesk, type Settings } from '../../core/model'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { DeskView } from '../../protocol/desk'
import type { Owners } from '../access/latest'
import { Emitter } from '../base/emitter'
import { timeText } from '../base/user-time'
import { Report } from '../connections/connection-test'
import type { DeskLink, SignIn } from '../desk/link'
import { isCredentials, secretsIn, signInWith } from './desk-sign-in'
import type { DeskSeat, Watched } from '../desk/seat'
import type { SeenEvents } from '../desk/seen'
import type { NotificationText } from '../desktop/notification-text'
import { lookUp, reachPort } from '../feed/probe'
import { AtomicJsonFile } from '../storage/atomic-file'
import type { SettingsChange } from '../storage/settings'
import type { SecretKeeper } from '../storage/secret-keeper'
import { faultOfDraft } from './alert-commands'
import { draftContexts, type AlertSources } from './alert-previews'
import { DeskLists } from './desk-lists'
import { DeskRules, notConnected } from './desk-rules'
import { DeskStandIn } from './desk-stand-in'
import { does, slice, type Core, type SharedFeature } from './feature'

interface Options extends Pick<Owners, 'alerts' | 'quotes' | 'connections'> {
  reachWatch: AlertSources['reachWatch']
  secrets: Pick<SecretKeeper, 'load' | 'save' | 'forget' | 'retry'>
  /** Shows a notification on the desktop. */
  announce: (text: NotificationText) => void
  /** Used instead of the stored one, for demonstrations. */
  password?: string | undefined
  /** False for a headless watch. */
  isSeat: boolean
}

interface Running {
  link: DeskLink
  seen: SeenEvents
  seat: DeskSeat
  stopFollowing: () => void
}

const retryMs = 10_000
const maxMemoryBytes = 2 ** 16
const secretId = 'desk'
const stepTimeoutMs = 5_000
/** Of these events the window shows who has seen them. */
const maxShownSeen = 500

const withheld = failure(
  'secretMissing',
  'The password of the desk is missing. Enter it again in Settings, Desk, or choose the credentials file again.',
)
const nameless: Outcome<never> = {
  ok: false,
  problem: { code: 'badArguments', field: 'user', message: 'Enter your name, because the other seats show it.' },
}

/** Makes this app a seat of a desk. Nothing of it is loaded before a desk is set up. */
export function createDesk(core: Core, { alerts, quotes, secrets, announce, password, isSeat, ...sources }: Options) {
  const { clock, log, folder, settings } = core
  const events = new Emitter<{ changed: null; seenChanged: null }>(core.onError)
  /** What this user saw while the desk was not connected. */
  const unsent = new Map<string, number>()
  let wanted: SavedDesk | undefined
  let running: Running | undefined
  let view: DeskView | null = null
  let cancelRetry: (() => void) | undefined
  let changing: Promise<void> = Promise.resolve()
  const link = () => (running?.link.isConnected === true ? running.link : undefined)
  const rules = new DeskRules({
    ...{ clock, settings, alerts, quotes, link },
    faultOf: (draft) => faultOfDraft(draft, draftContexts(clock, sources)),
    user: () => nameOf(wanted),
    onChanged: () => {
      standIn.rulesChanged()
      refresh()
    },
  })
  const lists = new DeskLists({
    ...{ clock, settings, link, newId: core.newId, notice: core.notice, onChanged: refresh },
    user: () => nameOf(wanted),
  })
  const standIn: DeskStandIn = new DeskStandIn({
    ...{ clock, log, alerts, quotes },
    rules: () => (rules.isKnown ? rules.views().map(({ rule }) => rule) : undefined),
  })

  function show(state: DeskView['state'], words: string): void {
    view = wanted === undefined ? null : { state, words, ...parts() }
    events.emit('changed', null)
  }

  function parts(): Pick<DeskView, 'alerts' | 'lists' | 'isJudgedHere'> {
    return { alerts: rules.views(), lists: lists.view(), isJudgedHere: standIn.isOn }
  }

  function refresh(): void {
    if (view !== null) show(view.state, view.words)
  }

  function noteSeen(eventIds: readonly string[]): void {
    const ofDesk = new Set(alerts.inbox().flatMap((event) => (event.desk === undefined ? [] : event.id)))
    const ids = eventIds.filter((id) => ofDesk.has(id))
    if (running !== undefined) running.seen.saw(ids)
    else for (const id of ids) unsent.set(id, clock.wallMs())
  }

  function minuteOf(atMs: number): string {
    return timeText(atMs, clock.wallMs(), { precision: 'minute', timeZone: settings.get().timeZone })
  }

  async function signInOf({ user, ...desk }: SavedDesk, typed = ''): Promise<Outcome<SignIn | undefined>> {
    if (user === '') return isCredentials(typed) ? nameless : ok(undefined)
    const secret = typed === '' ? (password ?? (await secrets.load(secretId, useOf({ user, ...desk })))) : typed
    if (secret === undefined) return withheld
    const signIn = signInWith(user, secret)
    for (const each of secretsIn(signIn)) core.hidden.add(each)
    return ok(signIn)
  }

  async function open(desk: SavedDesk): Promise<Outcome<Running>> {
    const signIn = await signInOf(desk)
    if (!signIn.ok) return signIn
    const [{ DeskLink }, { DeskSeat }, { SeenEvents }] = await Promise.all([
      import('../desk/link'),
      import('../desk/seat'),
      import('../desk/seen'),
    ])
    const opened = await DeskLink.open({ ...desk, signIn: signIn.value }, `seat ${desk.user}`)
    if (!opened.ok) return opened
    const link = opened.value
    const seat = new DeskSeat({
      ...{ clock, log, link, notice: core.notice, onWatch: watched },
      memory: new AtomicJsonFile({ path: join(folder, `seat-${desk.name}.json`), clock, maxBytes: maxMemoryBytes }),
      store: (received) => alerts.receive(received),
    })
    const seen = new SeenEvents({
      ...{ clock, log, unsent, notice: core.notice, bucket: link.seen(), by: nameOf(desk) },
      onChanged: () => events.emit('seenChanged', null),
    })
    const followed = [await rules.follow(link), await lists.follow(link)]
    const stopFollowing = () => {
      for (const each of followed) if (each.ok) each.value()
    }
    await seen.start()
    const started = followed.find(({ ok }) => !ok) ?? (await seat.start())
    if (started.ok) return ok({ link, seen, seat, stopFollowing })
    stopFollowing()
    seen.stop()
    await seat.stop()
    await link.close()
    return started
  }

  function watched(watch: Watched): void {
    const before = view?.state
    const since = minuteOf(watch.sinceMs)
    if (watch.state === 'judged') {
      if (standIn.isOn) void standIn.stop().then(refresh)
      const words = `Checked by ${watch.watcher}`
      if (before === 'notJudged' || before === 'unknown') core.notice(`The desk’s alerts are checked again. ${words}.`)
      show('judged', words)
      return
    }
    const [title, body] =
      watch.state === 'notJudged'
        ? [`No one is judging the desk’s alerts since ${since}`, 'Start a watcher. Your own alerts are checked here.']
        : [`The desk’s server does not answer since ${since}`, 'Its alerts come when it answers again.']
    show(watch.state, title)
    announce({ title, body })
  }

  async function begin(desk: SavedDesk): Promise<void> {
    const opened = await open(desk)
    if (opened.ok) running = opened.value
    else {
      show('failed', opened.problem.message.replace(/\.$/, ''))
      cancelRetry = clock.after(retryMs, () => void follow(desk))
    }
  }

  /** Leaves the former desk and joins this one. */
  function follow(desk: SavedDesk | undefined): Promise<void> {
    cancelRetry?.()
    changing = changing.then(async () => {
      const former = running
      running = undefined
      former?.stopFollowing()
      former?.seen.stop()
      events.emit('seenChanged', null)
      await former?.seat.stop()
      await former?.link.close()
      if (desk !== wanted) return
      rules.clear()
      if (desk === undefined && settings.get().desk === undefined) {
        void standIn.stop()
        void lists.leave()
      }
      if (desk !== undefined && view?.state !== 'failed') show('connecting', 'Connecting')
      if (desk === undefined) show('failed', '')
      else await begin(desk)
    })
    return changing
  }

  async function test(report: Report, desk: SavedDesk, signIn: SignIn | undefined): Promise<void> {
    const peer = deskPeer(desk.address)
    if (peer === undefined) return
    const limit = { clock, timeoutMs: stepTimeoutMs }
    await report.next('dns', async () => said(await lookUp(peer, limit), `${peer.host} is known.`))
    await report.next('tcp', async () => said(await reachPort(peer, limit), `Port ${peer.port} answers.`))
    const { DeskLink } = await import('../desk/link')
    const opened: Outcome<DeskLink> =
      report.fault === undefined ? await DeskLink.open({ ...desk, signIn }, 'test') : notConnected
    const isOfTls = !opened.ok && ['certificate', 'noTls', 'notNats'].includes(opened.problem.code)
    if (!peer.isSecure && !isOfTls) report.skip('tls', 'Not used on this computer.')
    else await report.next('tls', () => Promise.resolve(isOfTls ? opened : ok('Certificate valid.')))
    const isOfStream = !opened.ok && opened.problem.code === 'noJetStream'
    const signedIn = opened.ok || isOfStream ? ok('The server accepts this user.') : opened
    await report.next('handshake', () => Promise.resolve(signedIn))
    const link = opened.ok ? opened.value : undefined
    await report.next('stream', async () =>
      link === undefined ? said(opened, '') : said(await link.stream(), 'The desk is there.'),
    )
    await report.next('watcher', async () => {
      const found = await link?.lasting().get('lease')
      const lease = found?.ok === true ? readMessage('lease', found.value?.value) : undefined
      if (lease?.kind === 'read') return ok(`${lease.value.watcher} checks the desk’s alerts.`)
      return failure('notFound', 'No watcher is running. Start one with: indexwatch watch --desk')
    })
    await link?.close()
  }

  return {
    slices: [
      slice(() => ({ desk: view }), events, 'changed'),
      slice(() => ({ deskSeen: running?.seen.newest(maxShownSeen) ?? {} }), events, 'seenChanged'),
    ] as const,
    commands: {
      saveDesk: async ({ desk, password }) => {
        const refused = await core.newHosts.refusal([urlOf(desk)])
        if (refused !== undefined) return refused
        secrets.retry()
        const signIn = await signInOf(desk, password)
        if (!signIn.ok) return signIn
        // Not awaited: the keyring may ask its user for a password first.
        if (password !== '') void secrets.save(secretId, useOf(desk), password)
        await settings.set({ desk })
        if (wanted !== undefined) void follow(wanted)
        return done
      },
      leaveDesk: async () => {
        await settings.set({ desk: undefined })
        await secrets.forget(secretId)
        return done
      },
      testDesk: async ({ desk, password }) => {
        const refused = await core.newHosts.refusal([urlOf(desk)])
        if (refused !== undefined) return refused
        const signIn = await signInOf(desk, password)
        if (!signIn.ok) return signIn
        const report = new Report(clock)
        await test(report, desk, signIn.value)
        return ok({ steps: report.steps })
      },
      moveToDesk: ({ ruleId }) => rules.move(ruleId),
      editDeskAlert: ({ ruleId, version, draft }) => rules.edit(ruleId, version, draft),
      noteSeen: does(({ eventIds }) => noteSeen(eventIds)),
      takeEvent: async ({ eventId }) => {
        if (running === undefined) return notConnected
        const told = await running.seen.take(eventId)
        if (!told.ok) return told
        const { by, atMs } = told.value.taken ?? { by: '', atMs: 0 }
        return by === nameOf(wanted) ? done : failure('duplicate', `${by} took it at ${minuteOf(atMs)}.`)
      },
      judgeDeskHere: async ({ isWanted }) => {
        if (view === null || view.state === 'judged') return failure('notReady', 'A watcher checks these alerts.')
        const changed = await (isWanted ? standIn.start() : standIn.stop())
        refresh()
        return changed
      },
      takeFromDesk: ({ ruleId }) => rules.takeBack(ruleId),
      moveListToDesk: ({ listId }) => lists.share(listId),
      takeListFromDesk: ({ listId }) => lists.takeBack(listId),
      settleListChange: ({ refusedId, isApplied }) => lists.settle(refusedId, isApplied),
    } satisfies Partial<CommandHandlers>,
    /** Changes lists and pins, also on the desk. */
    changeLists: <T>(step: (settings: Settings) => SettingsChange<T>) => lists.change(step),
    /** True if a seat has seen the event. */
    isSeen: (eventId: string) => (running?.seen.of(eventId)?.seen.length ?? 0) > 0,
    follow() {
      alerts.events.on('seen', noteSeen)
    },
    settingsChanged({ desk }: Settings) {
      if (!isSeat || desk === wanted) return
      wanted = desk
      void follow(desk)
    },
    async dispose() {
      wanted = undefined
      await follow(undefined)
      await standIn.dispose()
    },
  } satisfies SharedFeature
}

/** How the other seats know this one. */
function nameOf(desk: SavedDesk | undefined): string {
  return desk === undefined || desk.user === '' ? 'a seat' : desk.user
}

/** The password is read only for the server, desk and user that it was entered for. */
function useOf({ address, name, user }: SavedDesk): string {
  return `desk ${address} ${name} ${user}`
}

function urlOf({ address }: SavedDesk): string {
  return address.replace(/^\w+:/, 'https:')
}

function said(outcome: Outcome<unknown>, words: string): Outcome<string> {
  return outcome.ok ? ok(words) : outcome
}
