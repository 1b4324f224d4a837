/** One validator per command's arguments; a missing or differing one does not compile. Used by the main process alone. */
import * as v from 'valibot'
import { isDecimalText } from './decimal'
import type { CommandArguments, CommandName } from './desktop'
import { chartRanges } from './answers'
import { severities } from './alerts'
import { draftSchema, inboxQuerySchema, scopeSchema, timeSchema } from './alert-schema'
import { indexIdSchema, isTimeZone } from './shapes'
import { authForms, listColumns, requestedResolutions } from './model'
import { changeBases, densities, directionColours, groupings, themes } from './preferences'

const indexId = indexIdSchema
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
  id: localId,
  auth: v.picklist(authForms),
  isEnabled: v.boolean(),
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

/** How long and how sparse a page may name a list. */
const listName = v.pipe(v.string(), v.trim(), v.minLength(1, 'Give the list a name.'), v.maxLength(60))

export const entrySchema = v.object({ id: indexId, maxResolution })
export const sortSchema = v.object({ column: v.picklist(['index', ...listColumns]), isDescending: v.boolean() })
export const columnsSchema = v.pipe(
  v.array(v.picklist(listColumns)),
  v.check((columns) => new Set(columns).size === columns.length, 'A column is there once.'),
)
export const watchlistSchema = v.object({
  id: localId,
  name: listName,
  entries: v.pipe(
    v.array(entrySchema),
    v.transform((entries) => [...new Map(entries.map((entry) => [entry.id, entry])).values()]),
  ),
  sort: v.exactOptional(sortSchema),
  columns: v.exactOptional(columnsSchema),
})

export const preferenceSchemas = {
  theme: v.picklist(themes),
  density: v.picklist(densities),
  directionColours: v.picklist(directionColours),
  grouping: v.picklist(groupings),
  timeZone: v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'Choose a time zone such as Europe/London.')),
  changeBase: v.picklist(changeBases),
  showsNotifications: v.boolean(),
  alertSounds: v.pipe(
    v.array(v.picklist(severities)),
    v.transform((chosen) => severities.filter((severity) => chosen.includes(severity))),
  ),
  startsAtLogin: v.boolean(),
}

const position = v.pipe(v.number(), v.integer(), v.minValue(0))

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
  createList: v.strictObject({ name: listName }),
  renameList: v.strictObject({ listId: localId, name: listName }),
  removeList: v.strictObject({ listId: localId }),
  restoreList: v.strictObject({ list: watchlistSchema, position }),
  moveList: v.strictObject({ listId: localId, position }),
  moveIndex: v.strictObject({ listId: localId, indexId, position }),
  arrangeList: v.strictObject({
    listId: localId,
    sort: v.exactOptional(v.nullable(sortSchema)),
    columns: v.exactOptional(v.nullable(columnsSchema)),
  }),
  setPinned: v.strictObject({ indexId, isPinned: v.boolean() }),
  setPreferences: v.strictObject({
    theme: v.exactOptional(preferenceSchemas.theme),
    density: v.exactOptional(preferenceSchemas.density),
    directionColours: v.exactOptional(preferenceSchemas.directionColours),
    grouping: v.exactOptional(preferenceSchemas.grouping),
    timeZone: v.exactOptional(preferenceSchemas.timeZone),
    changeBase: v.exactOptional(preferenceSchemas.changeBase),
    showsNotifications: v.exactOptional(preferenceSchemas.showsNotifications),
    startsAtLogin: v.exactOptional(preferenceSchemas.startsAtLogin),
    alertSounds: v.exactOptional(preferenceSchemas.alertSounds),
  }),
  saveListCsv: v.strictObject({ listId: localId }),
  saveConstituentsCsv: v.strictObject({ indexId }),
  exportLists: v.strictObject({ listIds: v.pipe(v.array(localId), v.minLength(1)) }),
  chooseListFile: none,
  importLists: v.strictObject({ importId: localId }),
  copyText: v.strictObject({ text: v.string() }),
  getLatestValues: v.strictObject({ indexIds: v.pipe(v.array(indexId), v.maxLength(30)) }),
  getChart: v.strictObject({ indexId, range: v.picklist(chartRanges) }),
  setAlertLevel: v.strictObject({ ruleId: localId, level: decimal }),
  setConstituentsBase: v.strictObject({ indexId }),
  clearConstituentsBase: v.strictObject({ indexId }),
  setProfileEnabled: v.strictObject({ profileId: localId, isEnabled: v.boolean() }),
  testConnection: v.strictObject({ profile: profileSchema, keySecret: v.pipe(v.string(), v.maxLength(1024)) }),
  getDiagnostics: none,
  createAlert: v.strictObject({ draft: draftSchema, whenAlreadyMet: v.picklist(['wait', 'fire']) }),
  editAlert: v.strictObject({ ruleId: localId, draft: draftSchema, whenAlreadyMet: v.picklist(['wait', 'fire']) }),
  armAlert: v.strictObject({ ruleId: localId }),
  previewAlert: v.strictObject({ draft: draftSchema, ruleId: v.exactOptional(localId) }),
  explainAlert: v.strictObject({ ruleId: localId }),
  snoozeAlerts: v.strictObject({ scope: scopeSchema, untilMs: v.nullable(timeSchema) }),
  endSnooze: v.strictObject({ scope: scopeSchema }),
  getInbox: v.strictObject({ query: inboxQuerySchema }),
  saveInboxCsv: v.strictObject({ query: inboxQuerySchema }),
  testNotification: none,
  exportAlerts: v.strictObject({ ruleIds: v.exactOptional(v.pipe(v.array(localId), v.minLength(1))) }),
  chooseAlertFile: none,
  importAlerts: v.strictObject({ importId: localId }),
  deleteAlert: v.strictObject({ ruleId: localId }),
  markInboxRead: none,
  reconnect: none,
  saveProfile: v.strictObject({ profile: profileSchema, keySecret: v.pipe(v.string(), v.maxLength(1024)) }),
  removeProfile: v.strictObject({ profileId: localId }),
  openIndex: v.strictObject({ indexId }),
  closeIndex: none,
  dismissNotice: v.strictObject({ noticeId: localId }),
}
