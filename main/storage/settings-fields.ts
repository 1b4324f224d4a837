import * as v from 'valibot'
import type {
  ConnectionProfile,
  IndexId,
  ListColumn,
  ListSection,
  SavedWebhook,
  Settings,
  Watchlist,
  WatchlistEntry,
} from '../../core/model'
import { preferenceNames, storedPreferences, type Preferences } from '../../core/preferences'
import {
  columnsSchema,
  entrySchema,
  listOnDeskSchema,
  listNameSchema,
  maxSections,
  profileSchema,
  savedWebhookSchema,
  sectionSchema,
  sortSchema,
  widthsSchema,
} from '../../core/settings-schema'
import { localIdSchema, storedGlanceIds } from '../../core/shapes'
import { savedDeskSchema } from '../../core/desk'
import { isRecord, sanitizeText } from '../base/sanitize'

const tokenHash = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

interface ReadFields {
  settings: Settings
  spreadsheetTokenHash: string | undefined
  /** Names of invalid fields, for a message. */
  dropped: string[]
  /** True if at least one field is valid. */
  hasGoodField: boolean
}

/**
 * Validates each field of a settings document separately. An invalid field gets its default and does not affect others.
 */
export function readFields(document: Record<string, unknown>, byDefault: Settings): ReadFields {
  const reader = new FieldReader()
  const settings: Settings = {
    ...byDefault,
    ...reader.preferences(document),
    watchlists: reader.lists(document['watchlists']) ?? byDefault.watchlists,
    pinnedIds: reader.ids(document['pinnedIds'], 'pinned indices') ?? byDefault.pinnedIds,
    profiles: reader.profiles(document['profiles']) ?? byDefault.profiles,
    webhooks: document['webhooks'] === undefined ? [] : reader.webhooks(document['webhooks']),
    ...(document['desk'] !== undefined && { desk: reader.field(savedDeskSchema, document['desk'], 'desk', undefined) }),
  }
  const spreadsheetTokenHash = reader.optional(tokenHash, document['spreadsheetTokenHash'], 'token for spreadsheets')
  return { settings, spreadsheetTokenHash, dropped: reader.dropped, hasGoodField: reader.hasGoodField }
}

class FieldReader {
  readonly dropped: string[] = []
  hasGoodField = false

  /** The validated value, or `fallback`. */
  field<S extends v.GenericSchema, D>(schema: S, value: unknown, name: string, fallback: D): v.InferOutput<S> | D {
    const read = v.safeParse(schema, value)
    if (read.success) {
      this.hasGoodField = true
      return read.output
    }
    this.dropped.push(name)
    return fallback
  }

  /** The validated value. Undefined if it is missing or invalid. */
  optional<S extends v.GenericSchema>(schema: S, value: unknown, name: string): v.InferOutput<S> | undefined {
    return value === undefined ? undefined : this.field(schema, value, name, undefined)
  }

  preferences(document: Record<string, unknown>): Partial<Preferences> {
    const names = Object.keys(storedPreferences) as (keyof Preferences)[]
    return Object.assign({}, ...names.map((name) => this.#preference(name, document[name]))) as Partial<Preferences>
  }

  lists(value: unknown): Watchlist[] | undefined {
    const items = this.#items(value, 'watchlists')
    const taken = new Set<string>()
    const lists = items?.flatMap((item, at): Watchlist[] => {
      const list = this.#list(item, at)
      if (list === undefined) return []
      const id = taken.has(list.id) ? freeId(list.id, taken) : list.id
      taken.add(id)
      return [{ ...list, id }]
    })
    if (lists?.length !== 0) return lists
    this.dropped.push('watchlists')
    return undefined
  }

  /** Ids pinned or shown in the ticker. */
  ids(value: unknown, name: string): IndexId[] | undefined {
    const ids = this.field(storedGlanceIds, value, name, undefined)
    if (ids !== undefined && Array.isArray(value) && ids.length < new Set(value).size) this.dropped.push(`some ${name}`)
    return ids
  }

  profiles(value: unknown): ConnectionProfile[] | undefined {
    return this.#items(value, 'connections')?.flatMap((item, at) => this.#profile(item, at) ?? [])
  }

  webhooks(value: unknown): SavedWebhook[] {
    const items = this.#items(value, 'webhooks') ?? []
    return items.flatMap((item, at) => this.field(savedWebhookSchema, item, `webhook ${at + 1}`, undefined) ?? [])
  }

  #preference(key: keyof Preferences, value: unknown): Partial<Preferences> {
    if (value === undefined) return {}
    const name = preferenceNames[key]
    if (key === 'tickerIds') {
      const ids = this.ids(value, name)
      return ids === undefined ? {} : { [key]: ids }
    }
    const schema: v.GenericSchema = storedPreferences[key]
    // Items of a list are validated separately.
    const parts = Array.isArray(value) ? value.filter((part) => v.is(schema, [part])) : value
    const read = this.field(schema, parts, name, undefined)
    if (Array.isArray(value) && Array.isArray(parts) && parts.length < value.length) this.dropped.push(`some ${name}`)
    return read === undefined ? {} : { [key]: read }
  }

  #items(value: unknown, name: string): unknown[] | undefined {
    if (Array.isArray(value)) {
      this.hasGoodField = true
      return value as unknown[]
    }
    this.dropped.push(name)
    return undefined
  }

  #list(item: unknown, at: number): Watchlist | undefined {
    const number = `watchlist ${at + 1}`
    if (!isRecord(item) || !(v.is(listNameSchema, item['name']) || Array.isArray(item['entries']))) {
      this.dropped.push(number)
      return undefined
    }
    const name = this.field(listNameSchema, item['name'], `name of ${number}`, `List ${at + 1}`)
    const of = `of the watchlist “${sanitizeText(name, 60)}”`
    return {
      id: this.field(localIdSchema, item['id'], `id ${of}`, `list-${at + 1}`),
      name,
      entries: this.#entries(item['entries'], of),
      sections: item['sections'] === undefined ? undefined : this.#sections(item['sections'], of),
      sort: this.optional(sortSchema, withoutAge(item['sort']), `order ${of}`),
      columns: item['columns'] === undefined ? undefined : this.#columns(item['columns'], of),
      widths: this.optional(widthsSchema, item['widths'], `widths ${of}`),
      desk: this.optional(listOnDeskSchema, item['desk'], `desk ${of}`),
    }
  }

  #entries(value: unknown, of: string): WatchlistEntry[] {
    const entries = new Map<IndexId, WatchlistEntry>()
    for (const item of this.#items(value, `indices ${of}`) ?? []) {
      const entry = this.#entry(item, of)
      if (entry !== undefined) entries.set(entry.id, entry)
    }
    return [...entries.values()]
  }

  #entry(item: unknown, of: string): WatchlistEntry | undefined {
    const fields = isRecord(item) ? item : {}
    const { id: indexId, maxResolution } = entrySchema.entries
    const id = this.field(indexId, fields['id'], `an index ${of}`, undefined)
    if (id === undefined) return undefined
    const name = `frequency of ${sanitizeText(id, 60)} ${of}`
    return { id, maxResolution: this.field(maxResolution, fields['maxResolution'], name, 'PER_SECOND') }
  }

  #sections(value: unknown, of: string): ListSection[] | undefined {
    const { id, name, at } = sectionSchema.entries
    const sections = new Map<string, ListSection>()
    for (const [place, item] of (this.#items(value, `sections ${of}`) ?? []).slice(0, maxSections).entries()) {
      const fields = isRecord(item) ? item : {}
      const section = {
        id: this.field(id, fields['id'], `id of a section ${of}`, `section-${place + 1}`),
        name: this.field(name, fields['name'], `name of a section ${of}`, `Section ${place + 1}`),
        at: this.field(at, fields['at'], `place of a section ${of}`, 0),
      }
      sections.set(section.id, section)
    }
    return sections.size === 0 ? undefined : [...sections.values()]
  }

  /** Undefined, which means the default columns, if no column is known. */
  #columns(value: unknown, of: string): ListColumn[] | undefined {
    const items = this.#items(value, `columns ${of}`) ?? []
    const columns = new Set<ListColumn>()
    for (const stored of items) {
      const item = stored === 'age' ? 'published' : stored
      if (!v.is(columnsSchema, [item])) this.dropped.push(`column “${sanitizeText(String(item), 60)}” ${of}`)
      else columns.add(item as ListColumn)
    }
    return columns.size === 0 && items.length > 0 ? undefined : [...columns]
  }

  /** A connection needs an id, an address and the key's id. */
  #profile(item: unknown, at: number): ConnectionProfile | undefined {
    const { entries } = profileSchema
    const fields = isRecord(item) ? item : {}
    const given = v.is(entries.name, fields['name'])
      ? `the connection “${sanitizeText(fields['name'], 60)}”`
      : undefined
    const called = given ?? `connection ${at + 1}`
    const needed = v.safeParse(
      v.object({ id: entries.id, webSocketUrl: entries.webSocketUrl, keyId: entries.keyId }),
      fields,
    )
    if (!needed.success) {
      this.dropped.push(called)
      return undefined
    }
    const { id, webSocketUrl, keyId } = needed.output
    const host = new URL(webSocketUrl).hostname.slice(0, 60)
    const address = (field: 'restUrl' | 'mcpUrl', name: string) => {
      const read = this.optional(entries[field], fields[field], `${name} of ${called}`)
      return read === undefined ? {} : { [field]: read }
    }
    return {
      id,
      auth: this.field(entries.auth, fields['auth'], `authentication of ${called}`, 'basic'),
      isEnabled: this.field(entries.isEnabled, fields['isEnabled'], `whether ${called} is on`, true),
      name: this.field(entries.name, fields['name'], `name of ${called}`, host),
      webSocketUrl,
      ...address('restUrl', 'REST address'),
      ...address('mcpUrl', 'MCP address'),
      keyId,
    }
  }
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  for (let count = 2; ; count++) {
    const next = `${id.slice(0, 56)}-${count}`
    if (!taken.has(next)) return next
  }
}

/** The column `age` became part of `published`. The order is reversed, because the lowest age is the latest time. */
function withoutAge(sort: unknown): unknown {
  if (!isRecord(sort) || sort['column'] !== 'age') return sort
  return { column: 'published', isDescending: sort['isDescending'] !== true }
}
