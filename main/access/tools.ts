/** The tools of assistants. All are read-only except the proposal, which the user accepts or declines. */
import * as v from 'valibot'
import { proposalSchema } from '../../core/alert-schema'
import { alertEventKinds, type AlertEvaluation, type AlertEvent } from '../../core/alert-events'
import { ruleWords } from '../../core/alert-words'
import { shownTimeMs } from '../../core/freshness'
import { notJudgedOf, readingWords, type Judging } from '../../protocol/judging'
import { failure, ok, type IndexId, type Outcome } from '../../core/model'
import {
  alertRecord,
  amendmentRecord,
  constituentRecord,
  evaluationRecord,
  exchangeRecord,
  inboxRecord,
  isoTime,
  publishedFields,
  recordJson,
  valueRecord,
  type FieldName,
  type ProgramRecord,
} from '../../core/records'
import type { ValueRevision } from '../../protocol/history'
import type { TimeRange } from '../../core/ranges'
import { indexIdSchema } from '../../core/shapes'
import { readTypedTime } from '../../core/typed-time'
import { answered, fail, need } from '../base/answered'
import { sanitizeText } from '../base/sanitize'
import { asking } from '../history-store/asking'
import type { StoredValue } from '../history-store/contract'
import { idsIn, latestRecords, listsNamed, type ProgramData } from './program-data'

const maxAnswerCharacters = 256 * 1_024
const maxIdsOfList = 500
const maxAboutLength = 120

interface Tool {
  description: string
  schema: v.GenericSchema
  /** The tool has an effect if the user accepts it. */
  isProposal?: true
  /** Ends at the first step that fails (`need`). */
  answer: (data: ProgramData, args: unknown) => Promise<object> | object
}

/** Builds a tool that validates its arguments with its schema. */
function tool<Schema extends v.GenericSchema>(
  made: Omit<Tool, 'answer'> & {
    schema: Schema
    answer: (data: ProgramData, args: v.InferOutput<Schema>) => Promise<object> | object
  },
): Tool {
  return {
    ...made,
    answer: (data, args) => {
      const read = v.safeParse(made.schema, args)
      if (read.success) return made.answer(data, read.output)
      const [issue] = read.issues
      const path = v.getDotPath(issue)
      return fail('badArguments', sanitizeText(`${path === null ? '' : `${path}: `}${issue.message}`, 300))
    },
  }
}

const id = v.pipe(indexIdSchema, v.description('An index id, such as BRTI. find_indices finds them by name.'))
const listName = v.pipe(v.string(), v.maxLength(60), v.description('Name of a watchlist, as list_watchlists has it.'))
const time = (what: string) =>
  v.pipe(
    v.string(),
    v.maxLength(60),
    v.description(
      `${what}: ISO 8601 such as 2026-11-20T16:00:00Z, or 2026-11-20 16:00 London, yesterday 16:00, 24 hours ago, now. UTC where no zone is named.`,
    ),
  )
const limit = (max: number, usual: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max)), usual)
const cursor = v.pipe(v.string(), v.maxLength(200), v.description('`next` of the page before.'))

/** By name. Descriptions contain no text from a service. */
export const tools = {
  list_watchlists: tool({
    description: 'The watchlists of the user, with the ids of the indices in each.',
    schema: v.strictObject({}),
    answer: ({ watchlists }) => ({
      watchlists: watchlists.map(({ name, entries }) => ({
        name: sanitizeText(name),
        indexCount: entries.length,
        ids: entries.slice(0, maxIdsOfList).map((entry) => entry.id),
      })),
    }),
  }),
  get_latest_values: tool({
    description:
      'The latest published value of indices, of a watchlist, or of all watchlists. A value is the exact decimal text that was published: quote it digit by digit, with its published time and its age.',
    schema: v.strictObject({
      list: v.optional(listName),
      ids: v.optional(v.pipe(v.array(id), v.minLength(1), v.maxLength(200))),
      offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
      limit: limit(500, 200),
    }),
    answer: (data, { list, ids, offset, limit: max }) => {
      const wanted = wantedIds(data, list, ids)
      const page = wanted.slice(offset, offset + max)
      const next = offset + max < wanted.length ? { nextOffset: offset + max } : {}
      return { values: latestRecords(data, page).map((each) => answer(each)), ...next }
    },
  }),
  get_history: tool({
    description:
      'Values of an index between two times, oldest first, from the history on this computer: every value in its latest revision, or with `stepSeconds` the first one published in each step.',
    schema: v.strictObject({
      id,
      from: time('Start, included'),
      to: v.optional(time('End, included'), 'now'),
      stepSeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(31_536_000))),
      limit: limit(500, 200),
    }),
    answer: (data, args) => history(data, args),
  }),
  get_value_at: tool({
    description:
      'The value of an index in effect at a time, with every revision, when each was received, and gaps in the history.',
    schema: v.strictObject({ id, at: time('The time') }),
    answer: async (data, args) => {
      const atMs = readPastTime(data, args.at)
      const { revisions, nextPublishedAtMs, gap } = need(await data.valueAt(args.id, atMs))
      const inEffect = revisions.at(-1)
      const revisionAnswer = (each: ValueRevision) => storedAnswer(data, { ...each, id: args.id, origin: each.source })
      return {
        id: args.id,
        at: isoTime(atMs),
        ...(inEffect === undefined
          ? { meaning: 'The history on this computer has no value for this time.' }
          : { inEffect: { ...revisionAnswer(inEffect), ageAtThatTimeMs: atMs - inEffect.publishedAtMs } }),
        revisions: revisions.map(revisionAnswer),
        ...(nextPublishedAtMs !== undefined && { nextPublished: isoTime(nextPublishedAtMs) }),
        ...(gap !== undefined && {
          gap: {
            from: isoTime(gap.fromMs),
            to: isoTime(gap.toMs),
            meaning: 'No data for this period: the value in effect may be another one.',
          },
        }),
      }
    },
  }),
  get_amendments: tool({
    description: 'Amendments (restatements) by the provider, of one index or of all, newest first.',
    schema: v.strictObject({ id: v.optional(id), limit: limit(200, 50), before: v.optional(cursor) }),
    answer: async (data, args) => {
      const before = args.before === undefined ? undefined : readCursor(args.before)
      const { amendments, next } = need(await data.amendments({ indexId: args.id, before }, args.limit))
      return {
        amendments: amendments.map((each) =>
          answer({ ...amendmentRecord(each), ...ageOf(data, each.publishedAtMs), source: 'history' }),
        ),
        ...(next !== undefined && { next: `${next.amendedAtMs}/${next.publishedAtMs}/${next.id}` }),
      }
    },
  }),
  get_constituents: tool({
    description:
      'The constituents of an index with value and weight in percent as published, never normalised. The running app asks the provider for them. Otherwise they are as last received.',
    schema: v.strictObject({ id }),
    answer: async (data, args) => {
      const found = await data.constituents(args.id)
      const { publication, source } =
        found ??
        fail(
          'noConstituents',
          `The provider sent no constituents of ${args.id}. Not every index has constituents. get_connection_status says whether the provider is connected.`,
        )
      return {
        id: args.id,
        indexValue: answer(publishedFields(publication)),
        ...answer({
          published: shownTimeMs(publication),
          ...ageOf(data, publication.publishedAtMs),
          source,
          divisor: publication.divisor,
        }),
        constituents: publication.constituents.map((each) => ({
          ...answer(constituentRecord(each)),
          ...(each.exchanges && { exchanges: each.exchanges.map((exchange) => answer(exchangeRecord(exchange))) }),
        })),
      }
    },
  }),
  find_indices: tool({
    description: 'Finds indices of the connected providers by words of their id, name, base, quote or codes.',
    schema: v.strictObject({ text: v.pipe(v.string(), v.maxLength(120)), limit: limit(100, 20) }),
    answer: ({ catalogue }, { text, limit: max }) => {
      const words = text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '')
      const found = catalogue.filter((index) => {
        const own =
          `${index.id} ${index.name ?? ''} ${index.base ?? ''} ${index.quote ?? ''} ${index.codes?.join(' ') ?? ''}`.toLowerCase()
        return words.every((word) => own.includes(word))
      })
      return {
        found: found.slice(0, max).map((index) => ({
          id: index.id,
          ...(index.name !== undefined && { name: sanitizeText(index.name) }),
          frequency: index.maxResolution,
          decimals: index.decimals,
        })),
        foundCount: found.length,
      }
    },
  }),
  list_alerts: tool({
    description: 'The alerts of the user with their states, and the proposals that wait for the user.',
    schema: v.strictObject({ id: v.optional(id) }),
    answer: ({ rules, proposals, judging }, args) => ({
      ...(judging !== undefined && { areJudged: judging.state === 'judged' }),
      rules: rules
        .filter(({ indexId }) => args.id === undefined || indexId === args.id)
        .map((rule) => answer(alertRecord(rule))),
      proposals,
    }),
  }),
  get_alert_events: tool({
    description:
      'Events of alerts, from the inbox, newest first: fired, retracted by an amendment, suppressed, expired and so on.',
    schema: v.strictObject({
      ruleId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(64))),
      search: v.optional(v.pipe(v.string(), v.maxLength(120))),
      kinds: v.optional(v.array(v.picklist(alertEventKinds))),
      before: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description('`next` of the page before.'))),
      limit: limit(200, 50),
    }),
    answer: async (data, { limit: max, ...query }) => {
      const page = need(await data.events(query))
      const events = page.events.slice(0, max)
      const hasMore = page.hasMore || page.events.length > max
      const last = events.at(-1)
      return {
        events: events.map((event) => eventAnswer(data, event)),
        retractedEventIds: page.retractions.flatMap(({ aboutEventId }) => aboutEventId ?? []),
        ...(hasMore && last !== undefined && { next: last.number }),
      }
    },
  }),
  explain_alert: tool({
    description:
      'Why an alert fired or did not: its last evaluations since app start, or with `at` those up to a past time, recomputed from the history.',
    schema: v.strictObject({
      ruleId: v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.description('`ruleId` of list_alerts.')),
      at: v.optional(time('The time')),
    }),
    answer: (data, args) => explanation(data, args),
  }),
  get_connection_status: tool({
    description: 'Whether each connection is live, its problem in plain words, and whether alerts are checked.',
    schema: v.strictObject({}),
    answer: ({ connections, judging }) => ({
      ...(judging !== undefined && { alertsAreJudged: judging.state === 'judged' }),
      connections: connections.map(({ name, isDemo, state, problem, streamCount, indexCount }) => ({
        name: sanitizeText(name),
        isDemo,
        state,
        ...(problem !== undefined && { problem: sanitizeText(problem) }),
        streamCount,
        indexCount,
      })),
    }),
  }),
  propose_alert: tool({
    description:
      'Proposes a new alert to the user, who saves, changes or declines it in the window. Creates nothing by itself. list_alerts shows the result.',
    schema: proposalSchema,
    isProposal: true,
    answer: (data, args) => {
      const { note = '', ...draft } = args
      return {
        proposalId: need(data.propose({ ...draft, note: sanitizeText(note, 500) || undefined })),
        proposed: ruleWords(draft, exact),
        state: 'The user sees the proposal and has not decided yet. No alert exists until they save it.',
      }
    },
  }),
} as const

/** The arguments of a call, for the list in the window. */
export function aboutCall(args: unknown): string {
  if (typeof args !== 'object' || args === null) return ''
  const texts = Object.values(args).flatMap((value) => {
    if (typeof value === 'string' || typeof value === 'number') return [String(value)]
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  })
  return sanitizeText(texts.join(', '), maxAboutLength)
}

/** Answers a call with JSON text. Problems: `unknownTool`, `badArguments`, `tooLarge`, and those of the data. */
export async function answerTool(data: ProgramData, name: string, args: unknown): Promise<Outcome<string>> {
  if (!Object.hasOwn(tools, name)) return failure('unknownTool', `There is no tool “${sanitizeText(name, 60)}”.`)
  const found = await answered(() => tools[name as keyof typeof tools].answer(data, args ?? {}))
  if (!found.ok) return found
  const { answeredBy, isDemo, nowMs, judging } = data
  const text = JSON.stringify({
    answeredBy: answeredBy === 'app' ? 'the running app' : 'the history on this computer',
    ...(answeredBy === 'history' && {
      note: 'Indexwatch is not running: values are as last stored, and alerts are not checked.',
    }),
    ...(isDemo && { isDemo, demoNote: 'Simulated data of the demo service: no real market values.' }),
    ...(judging !== undefined && alertsNote(judging)),
    now: isoTime(nowMs),
    ...found.value,
  })
  return text.length > maxAnswerCharacters
    ? failure('tooLarge', 'The answer would be too large. Ask for fewer indices, a shorter time or a smaller limit.')
    : ok(text)
}

/** Part of every answer. Without it an assistant would report that nothing has fired. */
function alertsNote(judging: Judging) {
  const notJudged = notJudgedOf(judging)
  if (notJudged !== undefined) return { alertsNote: `${notJudged.words}. ${notJudged.remedy}` }
  return judging.state === 'reading' ? { alertsNote: readingWords } : {}
}

const exact = (text: string) => text

/** The maximum length of long texts. Other texts are cut at 200. */
const maxLengths: Partial<Record<FieldName, number>> = { alerts: 300, note: 500, rule: 300, text: 300, why: 300 }

/** A record as part of an answer. Its texts stay on one line, so that an assistant reads them as data. */
function answer(record: ProgramRecord): Record<string, unknown> {
  return recordJson(record, (text, name) => sanitizeText(text, maxLengths[name]))
}

function ageOf({ nowMs }: ProgramData, publishedAtMs: number | undefined): ProgramRecord {
  return publishedAtMs === undefined ? {} : { ageMs: nowMs - publishedAtMs }
}

function wantedIds(
  { watchlists }: ProgramData,
  name: string | undefined,
  ids: readonly IndexId[] | undefined,
): readonly IndexId[] {
  if (name === undefined) return ids ?? [...idsIn(watchlists)]
  return [...new Set([...(ids ?? []), ...idsIn(need(listsNamed(watchlists, name)))])]
}

function readTime({ nowMs }: ProgramData, text: string): number {
  return need(readTypedTime(text, { nowMs, zone: 'UTC' }))
}

/** Like `readTime`. Problem `badTime` for a time in the future. */
function readPastTime(data: ProgramData, text: string): number {
  const atMs = readTime(data, text)
  if (atMs <= data.nowMs) return atMs
  return fail('badTime', `${isoTime(atMs)} is in the future: it is ${isoTime(data.nowMs)} now.`)
}

interface HistoryArguments {
  id: IndexId
  from: string
  to: string
  stepSeconds?: number | undefined
  limit: number
}

async function history(data: ProgramData, args: HistoryArguments): Promise<object> {
  const [fromMs, toMs] = [readTime(data, args.from), readTime(data, args.to)]
  if (fromMs > toMs) fail('badRange', '`from` is later than `to`.')
  const { values, nextMs } =
    args.stepSeconds === undefined
      ? await every(data, { id: args.id, fromMs, toMs, limit: args.limit })
      : await steps(data, { id: args.id, fromMs, toMs, stepMs: args.stepSeconds * 1_000, limit: args.limit })
  return {
    id: args.id,
    from: isoTime(fromMs),
    to: isoTime(toMs),
    values: values.map((value) => storedAnswer(data, value)),
    ...(nextMs !== undefined && { next: { from: isoTime(nextMs) } }),
    ...(values.length === 0 && { meaning: 'The history on this computer has no data for this time.' }),
  }
}

/** A value from the history. */
function storedAnswer(data: ProgramData, value: Parameters<typeof valueRecord>[0]) {
  return answer({ ...valueRecord(value), ...ageOf(data, value.publishedAtMs) })
}

interface Range extends TimeRange {
  id: IndexId
  limit: number
}

interface Found {
  values: readonly StoredValue[]
  nextMs?: number
}

async function every({ history }: ProgramData, { id: indexId, fromMs, toMs, limit: max }: Range): Promise<Found> {
  const ask = asking(history)
  const { values, next } = await ask('values', { id: indexId, fromMs, toMs, revisions: 'latest', limit: max })
  return { values, ...(next !== undefined && { nextMs: next.publishedAtMs + 1 }) }
}

/** Reads only as many steps as can be answered. The last sample, which may not start a step, is left out. */
async function steps(
  { history }: ProgramData,
  { id: indexId, fromMs, toMs, stepMs, limit: max }: Range & { stepMs: number },
): Promise<Found> {
  const endMs = (Math.floor(fromMs / stepMs) + max) * stepMs - 1
  const found = await asking(history)('samples', { id: indexId, fromMs, toMs: Math.min(toMs, endMs), stepMs })
  const seen = new Set<number>()
  const values = found.filter(({ publishedAtMs }) => {
    const step = Math.floor(publishedAtMs / stepMs)
    if (seen.has(step)) return false
    seen.add(step)
    return true
  })
  return { values, ...(endMs < toMs && { nextMs: endMs + 1 }) }
}

function readCursor(text: string) {
  const [amended, publishedMs, indexId] = text.split('/')
  const read = v.safeParse(
    v.object({
      amendedAtMs: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      publishedAtMs: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      id: indexIdSchema,
    }),
    { amendedAtMs: Number(amended), publishedAtMs: Number(publishedMs), id: indexId },
  )
  return read.success ? read.output : fail('badArguments', '`before` is not a `next` of an answer.')
}

function eventAnswer(data: ProgramData, event: AlertEvent) {
  return answer({ ...inboxRecord(event), ...ageOf(data, event.inputs.publishedAtMs), source: 'inbox' })
}

async function explanation(
  data: ProgramData,
  { ruleId, at }: { ruleId: string; at?: string | undefined },
): Promise<object> {
  const rule =
    data.rules.find((each) => each.id === ruleId) ??
    fail('unknownRule', 'There is no alert with this id. list_alerts names all alerts.')
  const now = at === undefined ? data.explain(ruleId) : undefined
  if (now !== undefined) {
    const note = now.length === 0 ? { meaning: 'Not evaluated since app start.' } : {}
    return {
      rule: answer(alertRecord(rule)),
      ...note,
      evaluations: now.map((each) => evaluationAnswer(data, each)),
    }
  }
  const atMs = at === undefined ? data.nowMs : readPastTime(data, at)
  const found = need(await data.explainAt(ruleId, atMs))
  const about = { rule: answer(alertRecord(rule)), at: isoTime(atMs) }
  switch (found.kind) {
    case 'judged': {
      const { evaluations, gap, rule: ofThen } = found
      return {
        ...about,
        ruleAsItWas: sanitizeText(ruleWords(ofThen, exact), 300),
        evaluations: evaluations.map((each) => evaluationAnswer(data, each)),
        ...(gap !== undefined && { gap: { from: isoTime(gap.fromMs), to: isoTime(gap.toMs) } }),
      }
    }
    case 'notYet': {
      const { sinceMs } = found
      const first = sinceMs === undefined ? '' : ` Its first value was published at ${isoTime(sinceMs)}.`
      return { ...about, meaning: `The alert had received no value by then.${first}` }
    }
    case 'notByValues':
      return { ...about, meaning: 'This kind of alert keeps no history: past evaluations cannot be shown.' }
    case 'lost':
      return { ...about, meaning: 'The history no longer has the values that this alert used.' }
  }
}

function evaluationAnswer(data: ProgramData, evaluation: AlertEvaluation) {
  const { publishedAtMs, value } = evaluation
  const source = value === undefined ? undefined : 'evaluation'
  return answer({ ...evaluationRecord(evaluation), ...ageOf(data, publishedAtMs), source })
}
