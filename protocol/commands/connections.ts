/** Commands about connections to services. */
import * as v from 'valibot'
import type { SecretKept } from '../desktop'
import type { ConnectionTest } from '../responses'
import { profileSchema } from '../../core/settings-schema'
import { command, localId } from './command'

const keySecret = v.pipe(v.string(), v.maxLength(1024))

export const connectionCommands = {
  /** Credentials of the configured proxy, or of the one that last asked for them. */
  setProxyCredentials: command({
    name: v.pipe(
      v.string(),
      v.minLength(1, 'Enter the name.'),
      v.maxLength(256),
      v.excludes(':', 'The name cannot contain a colon.'),
    ),
    password: v.pipe(v.string(), v.maxLength(1024)),
  }).answers<null>(),
  /** Retries now: after "not authorised", or instead of waiting. */
  reconnect: command({}).answers<null>(),
  /**
   * Saves a connection. An empty secret keeps the stored one. Waits for the keyring. Problem `cancelled` if the user
   * does not.
   */
  saveProfile: command({ profile: profileSchema, keySecret }).answers<{ kept: SecretKept }>(),
  /** Ends the wait of `saveProfile`: saves nothing, or keeps the secret for this session only. */
  stopWaitingForKeyring: command({
    profileId: localId,
    how: v.picklist(['cancel', 'session']),
  }).answers<null>(),
  /** Deletes a connection and its secret. Without any connection the demo service is used. */
  removeProfile: command({ profileId: localId }).answers<null>(),
  setProfileEnabled: command({ profileId: localId, isEnabled: v.boolean() }).answers<null>(),
  /** Tests a connection without saving it. An empty secret means the stored one. */
  testConnection: command({ profile: profileSchema, keySecret }).answers<ConnectionTest>(),
}
