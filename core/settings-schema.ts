/**
 * Validators of settings other than preferences, for commands, the settings file and watchlist files. The page does not
 * load them.
 */
import * as v from 'valibot'
import { indexIdSchema, isLoopback, localIdSchema, timeSchema } from './shapes'
import { webhookServiceNames } from './webhook-services'
import { authForms, columnPx, listColumns, requestedResolutions } from './model'

const maxResolution = v.picklist(requestedResolutions)

function isServiceUrl(text: string, secure: string, open: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === secure || (url.protocol === open && isLoopback(url.hostname))
}

/** `open` is the scheme without encryption, for this machine only. */
function serviceUrl(name: string, secure: string, open: string) {
  return v.pipe(
    v.string(),
    v.maxLength(2048),
    v.check(
      (text) => isServiceUrl(text, secure, open),
      `The ${name} address starts with ${secure}// and contains no key.`,
    ),
  )
}

export const profileSchema = v.strictObject({
  id: localIdSchema,
  auth: v.picklist(authForms),
  isEnabled: v.boolean(),
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'Give the connection a name.'), v.maxLength(60)),
  webSocketUrl: serviceUrl('WebSocket', 'wss:', 'ws:'),
  restUrl: v.exactOptional(serviceUrl('REST', 'https:', 'http:')),
  mcpUrl: v.exactOptional(serviceUrl('MCP', 'https:', 'http:')),
  keyId: v.pipe(v.string(), v.minLength(1, 'Enter the key id.'), v.maxLength(256)),
})

const webhookValues = v.record(v.pipe(v.string(), v.maxLength(40)), v.pipe(v.string(), v.maxLength(4096)))
/** What the user enters for a webhook. Values that are secret come separately. */
export const webhookSchema = v.strictObject({
  id: localIdSchema,
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'Give the webhook a name.'), v.maxLength(60)),
  service: v.picklist(webhookServiceNames),
  values: webhookValues,
  template: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(1_000))),
  sendsNote: v.boolean(),
})
/** Empty: the secret is removed. Missing: it stays. */
export const webhookSecretsSchema = webhookValues
/** A webhook in the settings file. */
export const savedWebhookSchema = v.object({
  ...webhookSchema.entries,
  host: v.pipe(v.string(), v.maxLength(300)),
  tails: webhookValues,
})

/** Characters of the name of a list or a section at most. */
export const maxListName = 60
/** The name of a list. */
export const listNameSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Give the watchlist a name.'),
  v.maxLength(maxListName),
)

const sectionNameWords = 'A section needs a name of at most 60 characters.'
export const sectionNameSchema = v.pipe(
  v.string(sectionNameWords),
  v.trim(),
  v.minLength(1, sectionNameWords),
  v.maxLength(maxListName, sectionNameWords),
)
/** Far above what a person uses. */
export const maxSections = 100
export const sectionSchema = v.object({
  id: indexIdSchema,
  name: sectionNameSchema,
  at: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
/** Far above what a person uses. */
export const maxEntries = 2_000
/** The id of an alert or a list on a desk. It is part of subjects, so it may contain no dot, blank or wildcard. */
export const deskId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))
/** Who did something on a desk, as that seat says, and when by that computer's clock. */
export const deskAuthor = { by: v.pipe(v.string(), v.maxLength(60)), atMs: timeSchema }
export const listOnDeskSchema = v.object({ id: deskId, begunAtMs: timeSchema, ...deskAuthor })
export const entrySchema = v.object({ id: indexIdSchema, maxResolution })
export const sortSchema = v.object({ column: v.picklist(['index', ...listColumns]), isDescending: v.boolean() })
export const columnsSchema = v.pipe(
  v.array(v.picklist(listColumns)),
  v.check((columns) => new Set(columns).size === columns.length, 'A column can be shown only once.'),
)
export const widthsSchema = v.record(
  v.picklist(['index', ...listColumns]),
  v.pipe(v.number(), v.integer(), v.minValue(columnPx.min), v.maxValue(columnPx.max)),
)
export const watchlistSchema = v.object({
  id: localIdSchema,
  name: listNameSchema,
  entries: v.pipe(
    v.array(entrySchema),
    v.transform((entries) => [...new Map(entries.map((entry) => [entry.id, entry])).values()]),
  ),
  sections: v.exactOptional(v.pipe(v.array(sectionSchema), v.maxLength(maxSections))),
  sort: v.exactOptional(sortSchema),
  columns: v.exactOptional(columnsSchema),
  widths: v.exactOptional(widthsSchema),
  desk: v.exactOptional(listOnDeskSchema),
})
