/** Every code of a problem, by who reports it. `Problem` in `model.ts` pairs one with a message. */
import type { TermsField } from './conditions/fields'

/** REST, assistant tools, and the steps of a connection test. */
export type ServiceProblemCode =
  | 'notAuthorised'
  | 'notFound'
  | 'badRequest'
  | 'rateLimited'
  | 'serviceError'
  | 'unreachable'
  | 'refused'
  | 'timedOut'
  | 'unreadable'
  | 'redirected'
  | 'tooLarge'
  | 'noRestAddress'
  | 'notConnected'

/** How an attempt to open the stream ended. */
type StreamProblemCode =
  | 'unanswered'
  | 'handshake'
  | 'badHandshake'
  | 'handshakeTimedOut'
  | 'certificate'
  | 'noTls'
  | 'proxy'
  | 'closed'
  | 'tooLarge'
  | 'protocol'
  | 'silent'
  | 'unfitKey'
  | 'noSubprotocol'
  | 'badAddress'

/** Files, the clipboard and command-line arguments. */
type SystemProblemCode =
  | 'diskFull'
  | 'readOnly'
  | 'noPermission'
  | 'notSaved'
  | 'slowDisk'
  | 'tooManyRows'
  | 'notRemoved'
  | 'notOpened'
  | 'missing'
  | 'unreadable'
  | 'notText'
  | 'tooLarge'
  | 'clipboard'
  | 'inUse'
  | 'badEnvironment'
  | 'badLink'

/** Files that the user imports. */
export type ImportProblemCode =
  | 'notJson'
  | 'otherFormat'
  | 'newerVersion'
  | 'badList'
  | 'duplicateName'
  | 'duplicateIndex'
  | 'badRule'
  | 'duplicateRule'
  | 'unknownImport'

type ListProblemCode =
  | 'lastList'
  | 'listThere'
  | 'pinsFull'
  | 'unknownList'
  | 'unfitPart'
  | 'unknownPart'
  | 'listFull'
  | 'listsFull'
  | 'notInList'
  | 'nameTaken'
  | 'tooManyLists'
  | 'tooManySections'

/** Fields of an alert draft, and of its terms. */
export type DraftField =
  | 'indexId'
  | 'condition'
  | TermsField
  | 'repeat'
  | 'holdMs'
  | 'hours'
  | 'cooldownMs'
  | 'expiresAt'
  | 'note'
  | 'group'
  | 'webhookUrl'

/** The code of a refused draft is its first faulty field. */
type AlertProblemCode =
  | DraftField
  | 'unknownRule'
  | 'noRules'
  | 'notReady'
  | 'newerAlerts'
  | 'tooManyRules'
  | 'duplicate'
  | 'snoozeOver'
  | 'followsList'

/** An index page. */
type PageProblemCode = 'notReady' | 'noConstituents' | 'tooManyWindows' | 'notOpen'

type ConnectionProblemCode =
  | 'testRunning'
  | 'secretMissing'
  | 'unknownProfile'
  | 'unfitKey'
  | 'tooManyProfiles'
  | 'tooManyWebhooks'
  | 'notConfirmed'

/** Typed times and ranges, and queries of the history. */
type HistoryProblemCode =
  | 'badTime'
  | 'unknownZone'
  | 'skippedTime'
  | 'ambiguousTime'
  | 'badRange'
  | 'noValues'
  | 'exportRunning'

/** Requests of AI assistants to this app. */
type AssistantProblemCode =
  | 'assistantsOff'
  | 'notRunning'
  | 'unknownTool'
  | 'toolRunning'
  | 'cancelled'
  | 'tooManyProposals'
  | 'unknownProposal'

/** A desk and its server. */
type DeskProblemCode = 'notNats' | 'noJetStream' | 'streamMissing' | 'full' | 'notAllowed'

/** Of any command: the window may not use it, its arguments are wrong, or the app failed or did not answer. */
type CommandProblemCode = 'forbidden' | 'tooLarge' | 'badArguments' | 'internal' | 'unanswered'

export type ProblemCode =
  | ServiceProblemCode
  | StreamProblemCode
  | SystemProblemCode
  | ImportProblemCode
  | ListProblemCode
  | AlertProblemCode
  | PageProblemCode
  | ConnectionProblemCode
  | HistoryProblemCode
  | AssistantProblemCode
  | DeskProblemCode
  | CommandProblemCode
