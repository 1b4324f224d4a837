/** Commands about the connections to services. */
import * as v from 'valibot'
import type { SecretKept } from '../desktop'
import type { ConnectionTest } from '../responses'
import { profileSchema } from '../../core/settings-schema'
import { command, localId } from './command'

const keySecret = v.pipe(v.string(), v.maxLength(1024))

export const connectionCommands = {
  /** Of the proxy that is set; where the system or a script names it, of the one that last asked for them. */
  setProxyCredentials: command({
    name: v.pipe(
      v.string(),
      v.minLength(1, 'Enter the name.'),
      v.maxLength(256),
      v.excludes(':', 'The name cannot contain a colon.'),
    ),
    password: v.pipe(v.string(), v.maxLength(1024)),
  }).answers<null>(),
  /** Tries again now: after "not authorised", or instead of waiting. */
  reconnect: command({}).answers<null>(),
  /**
   * Saves a connection of the user's own. An empty secret keeps the one stored for this profile. Waits for the keyring;
   * problem `cancelled` where the user does not.
   */
  saveProfile: command({ profile: profileSchema, keySecret }).answers<{ kept: SecretKept }>(),
  /** Ends the wait of `saveProfile`: nothing is saved, or the secret is kept for the session alone. */
  stopWaitingForKeyring: command({
    profileId: localId,
    how: v.picklist(['cancel', 'session']),
  }).answers<null>(),
  /** Forgets a connection and its secret; without any the demo service answers again. */
  removeProfile: command({ profileId: localId }).answers<null>(),
  setProfileEnabled: command({ profileId: localId, isEnabled: v.boolean() }).answers<null>(),
  /** Tries a connection without saving it. An empty secret takes the one kept for this profile. */
  testConnection: command({ profile: profileSchema, keySecret }).answers<ConnectionTest>(),
}
