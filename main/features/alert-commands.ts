import type { TimeRange } from '../../core/ranges'
import { checkDraft } from '../../core/alert-checks'
import type { AlertImportPreview, PastExplanation, RangeTest } from '../../core/alert-events'
import { reachOf } from '../../core/alert-reach'
import { draftOf } from '../../core/alert-schema'
import { draftKey, ruleWords } from '../../core/alert-words'
import { dependsOn, type AlertDraft } from '../../core/alerts'
import { formatCount, formatDecimal } from '../../core/decimal'
import { staleAfterMs } from '../../core/freshness'
import { failure, ok, type Failure, type IndexId, type Outcome, type Quote, type Settings } from '../../core/model'
import { endsBeforeItBegins } from '../../core/typed-time'
import { savedWebhookId } from '../../core/webhook-services'
import type { CommandArguments, CommandHandlers } from '../../protocol/commands/contract'
import { toJson, type Json } from '../../protocol/json'
import type { AlertEngine } from '../alerts/engine'
import type { ListAlerts } from '../alerts/list-alerts'
import type { RangeTester } from '../alerts/range-tester'
import { maxRules } from '../alerts/refusals'
import { writeRuleFile } from '../alerts/rule-file'
import { takeRules } from '../alerts/rule-file-reader'
import type { Clock } from '../base/clock'
import { recordTable } from '../base/table-files'
import { inTurns } from '../base/work-queue'
import { valueAt } from '../history/value-at'
import { createPreviews, draftContexts, type AlertSources, type ContextOf } from './alert-previews'
import { does, asJson, type Core } from './feature'
import { UserFiles, type Files, type FileToSave } from './user-files'

type AlertCore = Files & Pick<Core, 'history' | 'newHosts' | 'startThread'>

type Sources = AlertSources & { listAlerts: ListAlerts; rangeTester: RangeTester }

/**
 * Commands on alerts, snoozes and the inbox. The engine owns them all. Exports alerts to a file and imports them.
 * Drafts are checked here against what the services offer, even if the page checked them.
 */
export function alertCommands(core: AlertCore, sources: Sources) {
  const { alerts, listAlerts, quotes, rangeTester } = sources
  const { newHosts } = core
  const files = new UserFiles<AlertDraft[]>(core)
  const contextOf: ContextOf = (id) => draftContexts(core.clock, sources)(id)
  const latest = (id: IndexId) => quotes.store.get(id)
  const latestOf = (ruleId: string): Quote | undefined => {
    const rule = alerts.view(ruleId)
    return rule && latest(rule.indexId)
  }
  const faultOf = (draft: AlertDraft) => faultOfDraft(draft, contextOf)
  /** Why the draft cannot be saved. Waits until the version before has seen all values. */
  const refusalOf = async (draft: AlertDraft, isOfList: boolean) => {
    const refusal = (isOfList ? undefined : faultOf(draft)) ?? (await newHosts.refusal([draft.webhookUrl]))
    await alerts.judged()
    return refusal
  }
  /** A rule of a list alert changes only with that alert. */
  const refusalOfMember = (ruleId: string) => {
    const { follows } = alerts.view(ruleId) ?? {}
    const name = follows === undefined ? undefined : listAlerts.get(follows)?.name
    if (name === undefined) return undefined
    return failure('followsList', `This is part of the alert on any of ${name}. Change that alert instead.`)
  }
  return {
    createAlert: async ({ draft, whenAlreadyMet, target }) => {
      const refusal = await refusalOf(draft, target !== undefined)
      if (refusal !== undefined) return refusal
      if (target !== undefined) return listAlerts.create(draft, target)
      return alerts.create(draft, whenAlreadyMet, latest(draft.indexId))
    },
    editAlert: async ({ ruleId, draft, whenAlreadyMet, target }) => {
      const isOfList = listAlerts.get(ruleId) !== undefined
      const refusal = refusalOfMember(ruleId) ?? (await refusalOf(draft, isOfList))
      if (refusal !== undefined) return refusal
      if (isOfList) return listAlerts.edit(ruleId, draft, target)
      return alerts.edit(ruleId, draft, whenAlreadyMet, latest(draft.indexId))
    },
    setAlertLevel: async ({ ruleId, level }) => {
      const refusal = refusalOfMember(ruleId)
      if (refusal !== undefined) return refusal
      await alerts.judged()
      const rule = alerts.view(ruleId)
      const moved = rule && 'level' in rule.terms ? { ...rule, terms: { ...rule.terms, level } } : undefined
      return (moved && faultOf(moved)) ?? alerts.setLevel(ruleId, level, latestOf(ruleId))
    },
    armAlert: async ({ ruleId }) => {
      await alerts.judged()
      return alerts.arm(ruleId, latestOf(ruleId))
    },
    deleteAlert: ({ ruleId }) => {
      if (listAlerts.get(ruleId) !== undefined) return listAlerts.remove(ruleId)
      return refusalOfMember(ruleId) ?? alerts.remove(ruleId)
    },
    restoreAlert: async ({ ruleId }) => {
      if (listAlerts.wasRemoved(ruleId)) return listAlerts.putBack(ruleId)
      await alerts.judged()
      return alerts.putBack(ruleId)
    },
    previewAlert: createPreviews(core, sources),
    testAlert: ({ draft, fromMs, toMs }) => faultOf(draft) ?? testAlert(core, sources, draft, { fromMs, toMs }),
    getAlertTestProgress: () => ok(rangeTester.progress ?? null),
    cancelAlertTest: does(() => rangeTester.cancel()),
    explainAlert: ({ ruleId }) => ok(toJson(alerts.explain(ruleId))),
    explainAlertAt: (query) => explainPast(core, sources, query),
    snoozeAlerts: ({ scope, untilMs }) => alerts.snooze(scope, untilMs),
    endSnooze: ({ scope }) => alerts.endSnooze(scope),
    getInbox: ({ query }) => asJson(alerts.page(query)),
    markInboxRead: does(() => alerts.markRead()),
    saveInboxTable: ({ query }) =>
      files.saveTable(() =>
        ok({ fileName: 'Alert inbox', table: recordTable('Events', 'inboxEvent', alerts.rows(query)) }),
      ),
    exportAlerts: ({ ruleIds }) => files.save(() => ruleFile(sources, ruleIds)),
    chooseAlertFile: () =>
      files.choose(
        'alerts',
        (path) =>
          takeRules(
            core.startThread('rule-file-worker.js', {
              path,
              nowMs: core.clock.wallMs(),
              catalogue: sources.connections.catalogue,
            }),
          ),
        (drafts) => importPreview(core, { alerts, contextOf: draftContexts(core.clock, sources) }, drafts),
      ),
    importAlerts: async ({ importId }) => {
      const drafts = files.take(importId)
      if (!drafts.ok) return drafts
      const refusal = await newHosts.refusal(drafts.value.map(({ webhookUrl }) => webhookUrl))
      if (refusal !== undefined) return refusal
      // Checked again, because rules may have changed since the file was chosen.
      const added = await addedRules(core.clock, alerts, drafts.value)
      return added.ok ? alerts.createAll(added.value, latest) : added
    },
  } satisfies Partial<CommandHandlers>
}

/** Why a draft cannot be an alert. */
export function faultOfDraft(draft: AlertDraft, contextOf: ContextOf): Failure | undefined {
  const [fault] = checkDraft(draft, contextOf(draft.indexId))
  return fault && failure(fault.field, fault.message)
}

function testAlert(
  { clock }: AlertCore,
  { rangeTester, connections }: Sources,
  draft: AlertDraft,
  { fromMs, toMs }: TimeRange,
): Promise<Outcome<RangeTest | null>> | Outcome<never> {
  if (!dependsOn(draft.terms, 'values')) {
    return failure('condition', 'Only conditions on values can be tested on past values.')
  }
  const endMs = Math.min(toMs, clock.wallMs())
  if (fromMs >= endMs) return endsBeforeItBegins
  return rangeTester.run({ draft, cadence: connections.resolutionOf(draft.indexId), fromMs, toMs: endMs })
}

async function explainPast(
  { history, clock }: AlertCore,
  { alerts, connections }: Sources,
  { ruleId, atMs }: CommandArguments<'explainAlertAt'>,
): Promise<Outcome<Json<PastExplanation>>> {
  const found = await alerts.explainAt(ruleId, atMs)
  if (!found.ok) return found
  if (found.value.kind !== 'judged') return ok(toJson(found.value))
  const { indexId } = found.value.rule
  const maxGapMs = staleAfterMs(connections.resolutionOf(indexId) ?? 'PER_SECOND')
  const value = await valueAt(history, { id: indexId, atMs, nowMs: clock.wallMs(), maxGapMs })
  if (!value.ok) return value
  const { gap } = value.value
  return ok(toJson({ ...found.value, gap: gap && { fromMs: gap.fromMs, toMs: gap.toMs } }))
}

/** An alert on a list is exported as one alert for each of its indices. */
function ruleFile(
  { alerts, listAlerts }: Pick<Sources, 'alerts' | 'listAlerts'>,
  ruleIds: readonly string[] | undefined,
): Outcome<FileToSave> {
  const wanted = ruleIds && new Set(ruleIds)
  const rules = alerts
    .views()
    .filter(({ id, follows = '' }) => wanted === undefined || wanted.has(id) || wanted.has(follows))
  if (ruleIds?.some((id) => alerts.view(id) === undefined && listAlerts.get(id) === undefined) === true) {
    return failure('unknownRule', 'One of these alerts no longer exists. Choose again.')
  }
  if (rules.length === 0) return failure('noRules', 'There are no alerts to export. Create one first.')
  return ok({ name: 'Alerts', kind: 'alerts', text: writeRuleFile(rules) })
}

async function importPreview(
  { clock, settings }: Pick<AlertCore, 'clock' | 'settings'>,
  { alerts, contextOf }: { alerts: AlertEngine; contextOf: ContextOf },
  drafts: readonly AlertDraft[],
): Promise<Outcome<Pick<AlertImportPreview, 'adds' | 'sameCount'>>> {
  const added = await addedRules(clock, alerts, drafts)
  if (!added.ok) return added
  const adds: AlertImportPreview['adds'] = []
  await inTurns(clock, added.value, (draft) => {
    const { indexId, webhookUrl } = draft
    const found = reachOf(draft, contextOf(indexId))
    const reach = found === 'unknown' ? ('unchecked' as const) : found
    adds.push({
      sentence: ruleWords(draft, formatDecimal),
      ...(reach !== 'possible' && { reach }),
      ...(webhookUrl !== undefined && { webhookHost: receiverOf(webhookUrl, settings.get()) }),
    })
  })
  return ok({ adds, sameCount: drafts.length - added.value.length })
}

/** Who receives what is sent to this address. */
function receiverOf(address: string, { webhooks }: Settings): string {
  const id = savedWebhookId(address)
  if (id === undefined) return new URL(address).host
  return webhooks.find((each) => each.id === id)?.name ?? 'a webhook that is not set up here'
}

/** The drafts without an equal rule. */
async function addedRules(
  clock: Clock,
  alerts: AlertEngine,
  drafts: readonly AlertDraft[],
): Promise<Outcome<AlertDraft[]>> {
  const added: AlertDraft[] = []
  const ofLists = new Set(
    alerts.views().flatMap((rule) => (rule.follows === undefined ? [] : [draftKey(draftOf(rule))])),
  )
  await inTurns(clock, drafts, (draft) => {
    if (alerts.equalTo(draft) === undefined && !ofLists.has(draftKey(draft))) added.push(draft)
  })
  if (alerts.count + added.length <= maxRules) return ok(added)
  const message = `The limit is ${formatCount(maxRules)} alerts. Delete some, or remove some from the file.`
  return failure('tooManyRules', message)
}
