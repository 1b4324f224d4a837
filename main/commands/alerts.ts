import type { TimeRange } from '../../core/ranges'
import { checkDraft } from '../../core/alert-checks'
import type { AlertImportPreview, PastExplanation, RangeTest } from '../../core/alert-events'
import { reachOf } from '../../core/alert-reach'
import { ruleWords } from '../../core/alert-words'
import { isJudgedBy, type AlertDraft } from '../../core/alerts'
import type { alertCommands } from '../../protocol/commands/alerts'
import type { CommandArguments, HandlersOf } from '../../protocol/commands/contract'
import { formatDecimal } from '../../core/decimal'
import { staleAfterMs } from '../../core/freshness'
import { toJson, type Json } from '../../protocol/json'
import { done, failure, type IndexId, type Outcome, type Quote, ok } from '../../core/model'
import { AlertPreviews, draftContexts } from './alert-previews'
import type { AppContext } from './context'
import { endsBeforeItBegins } from '../../core/typed-time'
import { UserFiles, type FileToSave } from './user-files'
import { maxRules } from '../alerts/refusals'
import { valueAt } from '../history/value-at'
import { writeRuleFile } from '../alerts/rule-file'
import { inTurns } from '../base/work-queue'

/**
 * Rules, snoozes and the inbox, which the engine owns, and rules on their way to a file and back. A draft is checked
 * against what the services say about its index, whatever the page made of it.
 */
export function alertHandlers(context: AppContext): HandlersOf<typeof alertCommands> {
  const { alerts, quotes, newHosts, rangeTester } = context
  const files = new UserFiles<AlertDraft[]>(context)
  const previews = new AlertPreviews(context)
  const latest = (id: IndexId) => quotes.store.get(id)
  const latestOf = (ruleId: string): Quote | undefined => {
    const rule = alerts.view(ruleId)
    return rule && latest(rule.indexId)
  }
  const faultOf = (draft: AlertDraft): Outcome<never> | undefined => {
    const [fault] = checkDraft(draft, draftContexts(context)(draft.indexId))
    return fault && failure(fault.field, fault.message)
  }
  return {
    createAlert: async ({ draft, whenAlreadyMet }) => {
      const refusal = faultOf(draft) ?? (await newHosts.refusal([draft.webhookUrl]))
      await alerts.judged()
      return refusal ?? alerts.create(draft, whenAlreadyMet, latest(draft.indexId))
    },
    editAlert: async ({ ruleId, draft, whenAlreadyMet }) => {
      const refusal = faultOf(draft) ?? (await newHosts.refusal([draft.webhookUrl]))
      await alerts.judged()
      return refusal ?? alerts.edit(ruleId, draft, whenAlreadyMet, latest(draft.indexId))
    },
    setAlertLevel: async ({ ruleId, level }) => {
      await alerts.judged()
      const rule = alerts.view(ruleId)
      const moved = rule && 'level' in rule.terms ? { ...rule, terms: { ...rule.terms, level } } : undefined
      return (moved && faultOf(moved)) ?? alerts.setLevel(ruleId, level, latestOf(ruleId))
    },
    armAlert: async ({ ruleId }) => {
      await alerts.judged()
      return alerts.arm(ruleId, latestOf(ruleId))
    },
    deleteAlert: ({ ruleId }) => alerts.remove(ruleId),
    restoreAlert: async ({ ruleId }) => {
      await alerts.judged()
      return alerts.putBack(ruleId)
    },
    previewAlert: (args) => previews.preview(args),
    testAlert: ({ draft, fromMs, toMs }) => faultOf(draft) ?? testAlert(context, draft, { fromMs, toMs }),
    getAlertTestProgress: () => ok(rangeTester.progress ?? null),
    cancelAlertTest: () => {
      rangeTester.cancel()
      return done
    },
    explainAlert: ({ ruleId }) => ok(toJson(alerts.explain(ruleId))),
    explainAlertAt: (asked) => explainPast(context, asked),
    snoozeAlerts: ({ scope, untilMs }) => alerts.snooze(scope, untilMs),
    endSnooze: ({ scope }) => alerts.endSnooze(scope),
    getInbox: async ({ query }) => {
      const page = await alerts.page(query)
      return page.ok ? ok(toJson(page.value)) : page
    },
    markInboxRead: () => {
      alerts.markRead()
      return done
    },
    saveInboxCsv: ({ query }) => files.save(() => ok({ name: 'Alert inbox', kind: 'csv', text: alerts.csv(query) })),
    exportAlerts: ({ ruleIds }) => files.save(() => ruleFile(context, ruleIds)),
    chooseAlertFile: () =>
      files.choose(
        'alerts',
        (path) =>
          context.readRuleFile({ path, nowMs: context.clock.wallMs(), catalogue: context.connections.catalogue }),
        (drafts) => importPreview(context, drafts),
      ),
    importAlerts: async ({ importId }) => {
      const drafts = files.take(importId)
      if (!drafts.ok) return drafts
      const refusal = await newHosts.refusal(drafts.value.map(({ webhookUrl }) => webhookUrl))
      if (refusal !== undefined) return refusal
      // The rules may have changed since the file was chosen: what is new is found again.
      const added = await addedRules(context, drafts.value)
      return added.ok ? alerts.createAll(added.value, latest) : added
    },
  }
}

function testAlert(
  { rangeTester, connections, clock }: AppContext,
  draft: AlertDraft,
  { fromMs, toMs }: TimeRange,
): Promise<Outcome<RangeTest | null>> | Outcome<never> {
  if (!isJudgedBy(draft.terms, 'values')) {
    return failure('condition', 'Only conditions on values can be tested on past values.')
  }
  const endMs = Math.min(toMs, clock.wallMs())
  if (fromMs >= endMs) return endsBeforeItBegins
  return rangeTester.run({ draft, cadence: connections.resolutionOf(draft.indexId), fromMs, toMs: endMs })
}

async function explainPast(
  { alerts, tape, connections, clock }: AppContext,
  { ruleId, atMs }: CommandArguments<'explainAlertAt'>,
): Promise<Outcome<Json<PastExplanation>>> {
  const found = await alerts.explainAt(ruleId, atMs)
  if (!found.ok) return found
  if (found.value.kind !== 'judged') return ok(toJson(found.value))
  const { indexId } = found.value.rule
  const maxGapMs = staleAfterMs(connections.resolutionOf(indexId) ?? 'PER_SECOND')
  const value = await valueAt(tape, { id: indexId, atMs, nowMs: clock.wallMs(), maxGapMs })
  if (!value.ok) return value
  const { gap } = value.value
  return ok(toJson({ ...found.value, ...(gap && { gap: { fromMs: gap.fromMs, toMs: gap.toMs } }) }))
}

function ruleFile({ alerts }: AppContext, ruleIds: readonly string[] | undefined): Outcome<FileToSave> {
  const wanted = ruleIds && new Set(ruleIds)
  const rules = alerts.views().filter(({ id }) => wanted?.has(id) ?? true)
  if (wanted !== undefined && rules.length < wanted.size) {
    return failure('unknownRule', 'One of these alerts no longer exists. Choose again.')
  }
  if (rules.length === 0) return failure('noRules', 'There are no alerts to export. Create one first.')
  return ok({ name: 'Alerts', kind: 'alerts', text: writeRuleFile(rules) })
}

async function importPreview(
  context: AppContext,
  drafts: readonly AlertDraft[],
): Promise<Outcome<Pick<AlertImportPreview, 'adds' | 'sameCount'>>> {
  const added = await addedRules(context, drafts)
  if (!added.ok) return added
  const contextOf = draftContexts(context)
  const adds: AlertImportPreview['adds'] = []
  await inTurns(context.clock, added.value, (draft) => {
    const { indexId, webhookUrl } = draft
    const found = reachOf(draft, contextOf(indexId))
    const reach = found === 'unknown' ? ('unchecked' as const) : found
    adds.push({
      sentence: ruleWords(draft, formatDecimal),
      ...(reach !== 'possible' && { reach }),
      ...(webhookUrl !== undefined && { webhookHost: new URL(webhookUrl).host }),
    })
  })
  return ok({ adds, sameCount: drafts.length - added.value.length })
}

/** Those that are not there yet. */
async function addedRules(
  { alerts, clock }: AppContext,
  drafts: readonly AlertDraft[],
): Promise<Outcome<AlertDraft[]>> {
  const added: AlertDraft[] = []
  await inTurns(clock, drafts, (draft) => {
    if (alerts.equalTo(draft) === undefined) added.push(draft)
  })
  if (alerts.count + added.length <= maxRules) return ok(added)
  const message = `The limit is ${maxRules.toLocaleString('en-GB')} alerts. Delete some, or remove some from the file.`
  return failure('tooManyRules', message)
}
