import type { CommandAnswer, CommandArguments, CommandName, DesktopApi } from '../../protocol/commands/contract'
import { fromJson, type Json } from '../../protocol/json'
import { failure, type Outcome } from '../../core/model'
import type { Toasts } from './toasts.svelte'

type Plain<T> = T extends Json<infer Value> ? Value : T

export type Answer<N extends CommandName> = Plain<CommandAnswer<N>>

export type Commands = { [N in CommandName]: (args: CommandArguments<N>) => Promise<Outcome<Answer<N>>> }

/** The window's commands with parsed answers. No call rejects. */
export type Api = Commands & Pick<DesktopApi, 'onUpdate'>

export function createApi({ onUpdate, ...commands }: DesktopApi): Api {
  const calls = Object.entries(commands) as [string, (args: unknown) => Promise<Outcome<unknown>>][]
  const settling = Object.fromEntries(calls.map(([name, call]) => [name, (args: object) => settled(call(given(args)))]))
  return { ...settling, onUpdate } as Api
}

/** The arguments that have a value. A command refuses one that is there without a value. */
function given(args: object): object {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))
}

/** Calls reject while the app closes, or because of a bug. A string answer is JSON. */
async function settled(call: Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
  try {
    const answer = await call
    return answer.ok && typeof answer.value === 'string' ? { ok: true, value: fromJson(answer.value) } : answer
  } catch (error) {
    console.error(error)
    return failure('unanswered', 'Indexwatch did not answer. Please try again.')
  }
}

/** The toasts of the commands whose refusal no form shows. */
type CommandToasts = {
  [N in CommandName]?: {
    /** The toast after a refusal begins with this. The problem follows. */
    failed: string | ((args: CommandArguments<N>) => string)
    /** The toast after success. By default there is one for saved files only. */
    done?: (args: CommandArguments<N>, answer: Answer<N>) => string | undefined
  }
}

const toTheTray = (isPinned: boolean) => (isPinned ? 'pinned to the tray' : 'unpinned from the tray')

const noToast = () => undefined

const commandToasts = {
  setResolution: { failed: ({ indexId }) => `The frequency of ${indexId} could not be changed` },
  setPinned: { failed: ({ indexId, isPinned }) => `${indexId} could not be ${toTheTray(isPinned)}` },
  arrangeList: {
    failed: ({ sort }) =>
      sort === undefined ? 'The columns could not be changed' : 'The watchlist could not be sorted',
  },
  saveListTable: { failed: 'The watchlist could not be saved' },
  exportLists: {
    failed: 'Nothing was exported',
    done: ({ listIds }, saved) =>
      saved === null ? undefined : `${listIds.length === 1 ? 'Watchlist' : 'Watchlists'} saved as ${saved.fileName}`,
  },
  moveList: { failed: 'The watchlist could not be moved' },
  chooseListFile: { failed: 'Nothing was imported', done: noToast },
  readLists: { failed: 'Nothing was imported', done: noToast },
  openIndex: { failed: ({ indexId }) => `${indexId} could not be opened` },
  openIndexWindow: { failed: ({ indexId }) => `${indexId} was not opened in a window of its own` },
  closeIndex: { failed: 'The index could not be closed' },
  setConstituentsBase: {
    failed: ({ indexId }) => `The baseline of ${indexId} could not be set`,
    done: ({ indexId }) => `Baseline of ${indexId} set`,
  },
  clearConstituentsBase: {
    failed: ({ indexId }) => `The baseline of ${indexId} could not be cleared`,
    done: ({ indexId }) => `Baseline of ${indexId} cleared`,
  },
  saveConstituentsTable: { failed: ({ indexId }) => `The constituents of ${indexId} could not be saved` },
  savePointsTable: { failed: ({ indexId }) => `The contributions of ${indexId} could not be saved` },
  saveMembershipTable: { failed: ({ indexId }) => `The constituent changes of ${indexId} could not be saved` },
  saveAmendmentsTable: { failed: 'The amendments could not be saved' },
  saveFixingPdf: { failed: 'The fixing sheet could not be saved' },
  saveServiceToolTable: { failed: 'The table could not be saved' },
  saveInboxTable: { failed: 'The inbox could not be saved' },
  cancelServiceTool: { failed: 'The call could not be cancelled' },
  cancelExport: { failed: 'The export could not be cancelled' },
  cancelAlertTest: { failed: 'The test could not be cancelled' },
  clearHistory: { failed: 'The history could not be cleared' },
  markInboxRead: { failed: 'The inbox could not be marked as read' },
  exportAlerts: {
    failed: 'Nothing was exported',
    done: ({ ruleIds }, saved) =>
      saved === null ? undefined : `${ruleIds?.length === 1 ? 'Alert' : 'Alerts'} saved as ${saved.fileName}`,
  },
  chooseAlertFile: { failed: 'Nothing was imported', done: noToast },
  endSnooze: { failed: 'The snooze could not be ended' },
  declineProposal: { failed: 'The proposal could not be declined' },
  reconnect: { failed: 'A new attempt could not be started' },
  setProfileEnabled: {
    failed: ({ isEnabled }) => `The connection could not be turned ${isEnabled ? 'on' : 'off'}`,
  },
  removeProfile: { failed: 'The connection could not be removed' },
  leaveDesk: { failed: 'The desk could not be left' },
  moveToDesk: { failed: 'The alert stays here', done: () => 'The desk checks this alert from now on' },
  takeEvent: { failed: 'Not yours', done: () => 'The other seats see that you handle it' },
  judgeDeskHere: {
    failed: ({ isWanted }) => (isWanted ? 'Not checked here' : 'Still checked here'),
    done: ({ isWanted }) =>
      isWanted ? 'This computer checks the desk’s alerts' : 'This computer no longer checks the desk’s alerts',
  },
  takeFromDesk: { failed: 'The alert stays at the desk', done: () => 'This computer checks this alert from now on' },
  moveListToDesk: { failed: 'The list stays here', done: () => 'Every seat of the desk has this list from now on' },
  takeListFromDesk: { failed: 'The list stays at the desk', done: () => 'The list is yours. Other seats keep a copy' },
  settleListChange: { failed: 'Not applied' },
  removeWebhook: { failed: 'The webhook could not be removed' },
  stopWaitingForKeyring: { failed: 'Saving could not be stopped' },
  dismissAway: { failed: 'The summary could not be dismissed' },
  dismissNotice: { failed: 'The notice could not be dismissed' },
  setPreferences: { failed: 'This setting could not be changed' },
  checkForUpdates: { failed: 'Updates could not be checked' },
  restart: { failed: 'Indexwatch could not be restarted' },
  restartToUpdate: { failed: 'Indexwatch could not be restarted' },
  openSite: { failed: 'The website could not be opened' },
  openFolder: { failed: ({ folder }) => `The ${folder} folder could not be opened` },
} satisfies CommandToasts

type ToastedCommand = keyof typeof commandToasts

/** Runs a command and shows its toast. Returns undefined after a refusal. */
export type Perform = <N extends ToastedCommand>(
  command: N,
  args: CommandArguments<N>,
) => Promise<Answer<N> | undefined>

export function createPerform(api: Commands, toasts: Toasts): Perform {
  const toastsOf: CommandToasts = commandToasts
  return async <N extends ToastedCommand>(command: N, args: CommandArguments<N>) => {
    const texts = toastsOf[command]
    const answer = await api[command](args)
    if (!answer.ok) {
      const failed = typeof texts?.failed === 'function' ? texts.failed(args) : (texts?.failed ?? '')
      toasts.fail(`${failed}: ${answer.problem.message}`)
      return undefined
    }
    const text = texts?.done === undefined ? savedText(answer.value) : texts.done(args, answer.value)
    if (text !== undefined) toasts.show(text)
    return answer.value
  }
}

function savedText(answer: unknown): string | undefined {
  const isSaved = typeof answer === 'object' && answer !== null && 'fileName' in answer
  return isSaved ? `Saved as ${String(answer.fileName)}` : undefined
}
