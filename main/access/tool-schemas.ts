/** What tools take and answer, as JSON schemas of 2020-12. Only the process of an assistant loads this. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { kindOf, records, type FieldName } from '../../core/records'
import type { tools } from './tools'

/** The schema of a tool's arguments. Gemini knows no `const`, so a single value is an enumeration of one. */
export function inputSchemaOf(schema: v.GenericSchema): object {
  return toJsonSchema(schema, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    typeMode: 'input',
    overrideSchema: ({ jsonSchema: { const: only } }) => {
      if (typeof only === 'string') return { type: 'string', enum: [only] }
      // An enumeration may only have texts.
      return only === true ? { type: 'boolean', description: 'true, or left out' } : undefined
    },
  })
}

type Kind = ReturnType<typeof kindOf>

const text = { type: 'string' }
const list = (items: object) => ({ type: 'array', items })

const schemaOfKind: Record<Kind, object> = {
  text,
  texts: list(text),
  decimal: { type: 'string', description: 'An exact decimal' },
  number: { type: 'integer' },
  time: { type: 'string', format: 'date-time' },
  flag: { type: 'boolean' },
}

/** The fields of answers that no record has and that are not text. */
const kinds: Record<string, Kind> = {
  ageAtThatTimeMs: 'number',
  alertsAreJudged: 'flag',
  areJudged: 'flag',
  decimals: 'number',
  foundCount: 'number',
  ids: 'texts',
  indexCount: 'number',
  nextOffset: 'number',
  nextPublished: 'time',
  now: 'time',
  retractedEventIds: 'texts',
  streamCount: 'number',
}

const schemaOf = (name: string) => schemaOfKind[kinds[name] ?? kindOf(name as FieldName)]

/** An object with these fields. `more` are those with a schema of their own. */
function object(names: readonly string[], more: Record<string, object> = {}) {
  return { type: 'object', properties: { ...Object.fromEntries(names.map((name) => [name, schemaOf(name)])), ...more } }
}

const everyAnswer = ['answeredBy', 'note', 'isDemo', 'demoNote', 'alertsNote', 'now']
const answer = (names: readonly string[], more?: Record<string, object>) => ({
  ...object([...everyAnswer, ...names], more),
  required: ['answeredBy', 'now'],
})

const storedValue = [...records.value, 'ageMs']
const aged = ['ageMs', 'source']
const gap = object(['from', 'to', 'meaning'])

/** The schema of each tool's answer. */
export const outputSchemas: Record<keyof typeof tools, object> = {
  list_watchlists: answer([], { watchlists: list(object(['name', 'indexCount', 'ids'])) }),
  get_latest_values: answer(['nextOffset'], { values: list(object(records.quote)) }),
  get_history: answer(['id', 'from', 'to', 'meaning'], { values: list(object(storedValue)), next: object(['from']) }),
  get_value_at: answer(['id', 'at', 'nextPublished', 'meaning'], {
    inEffect: object([...storedValue, 'ageAtThatTimeMs']),
    revisions: list(object(storedValue)),
    gap,
  }),
  get_amendments: answer(['next'], { amendments: list(object([...records.amendment, ...aged])) }),
  get_constituents: answer(['id', 'published', 'divisor', ...aged], {
    indexValue: object(['value', 'published', 'amended', 'isCarriedForward']),
    constituents: list(
      object(['constituent', 'value', 'weightPercent'], {
        exchanges: list(object(['exchange', 'exchangeWeightPercent'])),
      }),
    ),
  }),
  find_indices: answer(['foundCount'], { found: list(object(['id', 'name', 'frequency', 'decimals'])) }),
  list_alerts: answer(['areJudged'], {
    rules: list(object(records.alert)),
    proposals: list(object(['id', 'words', 'state'])),
  }),
  get_alert_events: answer(['retractedEventIds'], {
    events: list(object([...records.inboxEvent, ...aged])),
    next: schemaOfKind.number,
  }),
  explain_alert: answer(['ruleAsItWas', 'at', 'meaning'], {
    rule: object(records.alert),
    evaluations: list(object([...records.evaluation, ...aged])),
    gap,
  }),
  get_connection_status: answer(['alertsAreJudged'], {
    connections: list(object(['name', 'isDemo', 'state', 'problem', 'streamCount', 'indexCount'])),
  }),
  propose_alert: answer(['proposalId', 'proposed', 'state']),
}
