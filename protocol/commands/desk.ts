/** Commands about the desk. Its password is sent only to the main process, never back. */
import * as v from 'valibot'
import { draftSchema } from '../../core/alert-schema'
import { savedDeskSchema } from '../../core/desk'
import { countSchema } from '../../core/shapes'
import type { ConnectionTest } from '../responses'
import { command, localId } from './command'

/** The password may be the text of a credentials file of NATS. An empty one means the stored one. */
const entered = { desk: savedDeskSchema, password: v.pipe(v.string(), v.maxLength(16_384)) }

export const deskCommands = {
  /** Problem `secretMissing`. */
  saveDesk: command(entered).answers<null>(),
  /** Leaves the desk and deletes its password. Events stay. */
  leaveDesk: command({}).answers<null>(),
  /** Tests a desk without saving it. */
  testDesk: command(entered).answers<ConnectionTest>(),
  /** Lets the desk check one's own alert from now on. */
  moveToDesk: command({ ruleId: localId }).answers<null>(),
  /** Changes an alert of the desk. `version` is the one that the user opened. Problem `duplicate`,
   * which tells the other change. The same command again then replaces it.
   */
  editDeskAlert: command({ ruleId: localId, version: countSchema, draft: draftSchema }).answers<null>(),
  /** Tells the other seats that this user has seen these events. Others than those of the desk are ignored. */
  noteSeen: command({ eventIds: v.pipe(v.array(localId), v.maxLength(1_000)) }).answers<null>(),
  /** Tells the other seats that this user handles the event. Problem `duplicate` if somebody took it first. */
  takeEvent: command({ eventId: localId }).answers<null>(),
  /** Checks all alerts of the desk here until a watcher returns, or no longer. Problem `notReady` while one checks them. */
  judgeDeskHere: command({ isWanted: v.boolean() }).answers<null>(),
  /** Checks an alert of the desk here from now on. The other seats no longer have it. */
  takeFromDesk: command({ ruleId: localId }).answers<null>(),
  /** Gives a list of one's own to all seats. Problems: `notConnected`, `notAllowed`. */
  moveListToDesk: command({ listId: localId }).answers<null>(),
  /** Makes a list of the desk one's own. It stays on the other seats as theirs. Problem `duplicate`, as for each change. */
  takeListFromDesk: command({ listId: localId }).answers<null>(),
  /** Makes a refused change of a list on top of the one that came first, or drops it. */
  settleListChange: command({ refusedId: localId, isApplied: v.boolean() }).answers<null>(),
}
