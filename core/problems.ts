/** Every code a problem can have, by who reports it. `Problem` in `model.ts` pairs one with words for people. */
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

/** Files, the clipboard and what the app was started with. */
type SystemProblemCode =
  | 'diskFull'
  | 'readOnly'
  | 'noPermission'
  | 'notSaved'
  | 'slowDisk'
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
  | 'unknownPart'
  | 'listFull'
  | 'listsFull'
  | 'notInList'
  | 'nameTaken'
  | 'tooManyLists'

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

/** A refused draft has its first faulty field as the code. */
type AlertProblemCode =
  | DraftField
  | 'unknownRule'
  | 'noRules'
  | 'notReady'
  | 'newerAlerts'
  | 'tooManyRules'
  | 'duplicate'
  | 'snoozeOver'

type ConstituentsProblemCode = 'notReady' | 'noConstituents'

type ConnectionProblemCode =
  | 'testRunning'
  | 'secretMissing'
  | 'unknownProfile'
  | 'unfitKey'
  | 'tooManyProfiles'
  | 'notConfirmed'

/** Times and ranges as they are typed, and what the history has of them. */
type HistoryProblemCode =
  | 'badTime'
  | 'unknownZone'
  | 'skippedTime'
  | 'ambiguousTime'
  | 'badRange'
  | 'noValues'
  | 'exportRunning'

/** What AI assistants ask of this app. */
type AssistantProblemCode =
  | 'assistantsOff'
  | 'notRunning'
  | 'unknownTool'
  | 'toolRunning'
  | 'cancelled'
  | 'tooManyProposals'
  | 'unknownProposal'

/** Of any command: the window has no right to it, its arguments are wrong, the app failed or did not answer. */
type CommandProblemCode = 'forbidden' | 'tooLarge' | 'badArguments' | 'internal' | 'unanswered'

export type ProblemCode =
  | ServiceProblemCode
  | StreamProblemCode
  | SystemProblemCode
  | ImportProblemCode
  | ListProblemCode
  | AlertProblemCode
  | ConstituentsProblemCode
  | ConnectionProblemCode
  | HistoryProblemCode
  | AssistantProblemCode
  | CommandProblemCode
