import { join } from 'node:path'
import { statSync } from 'node:fs'
import type { DeskMetrics } from '../access/metrics'
import type { Owners } from '../access/latest'
import { readOwnFile } from '../base/own-file'
import { done, failure, ok, type Outcome } from '../../core/model'
import type { DeskToWatch } from '../desktop/launch-options'
import type { SignIn } from '../desk/link'
import { isCredentials, secretsIn, signInWith } from './desk-sign-in'
import type { DeskWatcher } from '../desk/watcher'
import { AtomicJsonFile } from '../storage/atomic-file'
import type { Core, SharedFeature } from './feature'

interface Options {
  owners: Pick<Owners, 'alerts' | 'judging' | 'connections' | 'quotes' | 'history' | 'settings'>
  desk: DeskToWatch
}

const retryMs = 5_000
const maxMemoryBytes = 4 * 2 ** 20
/** These stay until somebody changes something. */
const lasting: ReadonlySet<string> = new Set([
  'notAuthorised',
  'notAllowed',
  'streamMissing',
  'nameTaken',
  'noJetStream',
])

/** Makes a headless watch one of the watchers of a desk. */
export function createDeskWatch(
  core: Pick<Core, 'clock' | 'log' | 'folder' | 'hidden' | 'notice'>,
  { owners, desk }: Options,
) {
  const { clock, log, folder } = core
  const { alerts, judging, connections, quotes, history, settings } = owners
  let watcher: DeskWatcher | undefined
  let close: (() => Promise<void>) | undefined
  let isStopped = false

  async function begin(signIn: SignIn | undefined): Promise<Outcome<null>> {
    const [{ DeskLink }, { DeskWatcher }] = await Promise.all([import('../desk/link'), import('../desk/watcher')])
    const link = await DeskLink.open({ ...desk, signIn }, desk.watcher)
    if (!link.ok) return link
    close = () => link.value.close()
    const made = new DeskWatcher({
      ...{ clock, log, link: link.value, name: desk.watcher },
      tape: {
        lastNumber: () => alerts.inbox()[0]?.number ?? 0,
        after: async (number) => {
          const part = await history.query('events', { after: number })
          return part.ok ? ok(part.value.events) : part
        },
        event: async (id) => {
          const found = await history.query('event', { id })
          return found.ok ? (found.value ?? undefined) : undefined
        },
      },
      rules: {
        adopt: (rule) => alerts.adopt(rule, quotes.store.get(rule.indexId)),
        remove: (ruleId) => alerts.remove(ruleId),
      },
      memory: new AtomicJsonFile({ path: join(folder, `desk-${desk.name}.json`), clock, maxBytes: maxMemoryBytes }),
      isJudging: () => judging.view.state === 'judged',
      isLive: () => connections.views.length > 0 && connections.views.every(({ state }) => state === 'live'),
      hosts,
      notice: core.notice,
    })
    const started = await made.start(desk.begins)
    if (!started.ok || isStopped) {
      await close()
      return started
    }
    watcher = made
    return done
  }

  function hosts(): string[] {
    const { profiles } = settings.get()
    return connections.views.flatMap(({ id, isDemo }) => {
      const address = profiles.find((profile) => profile.id === id)?.webSocketUrl
      return isDemo ? ['demo'] : address === undefined ? [] : [new URL(address).host]
    })
  }

  return {
    /**
     * Resolves when the desk's rules are judged. Tries again while the server cannot be reached. Problems: what only a
     * person can change.
     */
    async start(): Promise<Outcome<null>> {
      const signIn = readSignIn(desk.signInPath)
      if (!signIn.ok) return signIn
      for (const secret of signIn.value === undefined ? [] : secretsIn(signIn.value)) core.hidden.add(secret)
      await judged()
      for (let said = ''; ;) {
        const begun = await begin(signIn.value)
        if (begun.ok || isStopped || lasting.has(begun.problem.code)) return begun
        if (said !== begun.problem.message) core.notice(begun.problem.message)
        said = begun.problem.message
        await new Promise<void>((resolve) => clock.after(retryMs, resolve))
      }
    },
    metrics: (): DeskMetrics | undefined =>
      watcher && { leads: watcher.isLeading, unpublished: watcher.unpublished, seats: watcher.seatCount },
    follow() {
      alerts.events.on('changed', () => watcher?.decided())
    },
    async dispose() {
      isStopped = true
      await watcher?.stop()
      await close?.()
    },
  } satisfies SharedFeature

  /** Resolves when the rules are read. */
  function judged(): Promise<void> {
    return new Promise((resolve) => {
      if (judging.view.state === 'judged') resolve()
      else judging.events.on('changed', ({ state }) => state === 'judged' && resolve())
    })
  }
}

/** Reads user and password, a line each, or a credentials file of NATS. Others must not be able to read the file. */
function readSignIn(path: string | undefined): Outcome<SignIn | undefined> {
  if (path === undefined) return ok(undefined)
  try {
    const text = readOwnFile(path)
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      return failure('badArguments', `watch --desk-sign-in: others can read ${path}. Run: chmod 600 ${path}`)
    if (isCredentials(text)) return ok(signInWith('', text))
    const [user = '', password = ''] = text.split(/\r?\n/)
    if (user !== '' && password !== '') return ok({ user, password })
    return failure(
      'badArguments',
      `watch --desk-sign-in: ${path} needs the user in its first line and the password in its second.`,
    )
  } catch {
    return failure('badArguments', `watch --desk-sign-in: ${path} cannot be read.`)
  }
}
