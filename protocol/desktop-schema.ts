/** One validator per command's arguments; a missing or differing one does not compile. Used by the main process alone. */
import * as v from 'valibot'
import { isDecimalText } from './decimal'
import type { CommandArguments, CommandName } from './desktop'
import { alertConditions, requestedResolutions, themes } from './model'

/** What an index id may look like. The real ones are capitals, digits and underscores; others are let through kindly. */
export const indexIdPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

const indexId = v.pipe(v.string(), v.regex(indexIdPattern, 'An index id has letters, digits, "_", "." and "-" only.'))
const localId = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const decimal = v.pipe(v.string(), v.check(isDecimalText, 'A level is a number such as 68500.00.'))
const maxResolution = v.picklist(requestedResolutions)
const none = v.strictObject({})

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

function isServiceUrl(text: string, secure: string, open: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === secure || (url.protocol === open && loopbackHosts.has(url.hostname))
}

export const profileSchema = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'Give the connection a name.'), v.maxLength(60)),
  webSocketUrl: v.pipe(
    v.string(),
    v.maxLength(2048),
    v.check((text) => isServiceUrl(text, 'wss:', 'ws:'), 'The WebSocket address starts with wss:// and holds no key.'),
  ),
  restUrl: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(2048),
      v.check(
        (text) => isServiceUrl(text, 'https:', 'http:'),
        'The REST address starts with https:// and holds no key.',
      ),
    ),
  ),
  mcpUrl: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(2048),
      v.check(
        (text) => isServiceUrl(text, 'https:', 'http:'),
        'The MCP address starts with https:// and holds no key.',
      ),
    ),
  ),
  keyId: v.pipe(v.string(), v.minLength(1, 'Enter the key id.'), v.maxLength(256)),
})

type Validators = { [N in CommandName]: v.GenericSchema<unknown, CommandArguments<N>> }

export const argumentSchemas: Validators = {
  getSnapshot: none,
  addIndex: v.strictObject({
    listId: localId,
    indexId,
    position: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    maxResolution: v.exactOptional(maxResolution),
  }),
  removeIndex: v.strictObject({ listId: localId, indexId }),
  setResolution: v.strictObject({ listId: localId, indexId, maxResolution }),
  setTheme: v.strictObject({ theme: v.picklist(themes) }),
  createAlert: v.strictObject({
    indexId,
    condition: v.picklist(alertConditions),
    level: decimal,
    whenAlreadyMet: v.picklist(['wait', 'fire']),
  }),
  deleteAlert: v.strictObject({ ruleId: localId }),
  markInboxRead: none,
  reconnect: none,
  saveProfile: v.strictObject({ profile: profileSchema, keySecret: v.pipe(v.string(), v.maxLength(1024)) }),
  removeProfile: none,
  openIndex: v.strictObject({ indexId }),
  closeIndex: none,
  dismissNotice: v.strictObject({ noticeId: localId }),
}
