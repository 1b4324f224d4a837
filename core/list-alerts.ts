/** Alerts that follow a watchlist or one of its sections: each index there has a rule of its own. */
import * as v from 'valibot'
import { draftSchema } from './alert-schema'
import type { AlertDraft, AlertView } from './alerts'
import type { IndexId, Watchlist } from './model'
import { localIdSchema, nameSchema, timeSchema } from './shapes'

/** A watchlist, or one of its sections. */
export const listTargetSchema = v.strictObject({ listId: localIdSchema, sectionId: v.exactOptional(localIdSchema) })
export type ListTarget = v.InferOutput<typeof listTargetSchema>

export const listAlertSchema = v.object({
  id: localIdSchema,
  target: listTargetSchema,
  /** The name of the list or section when the alert was saved. Shown if it was deleted since. */
  name: nameSchema,
  /** `indexId` is the index that the dialog was about. */
  draft: draftSchema,
  createdAtMs: timeSchema,
})
export type ListAlert = v.InferOutput<typeof listAlertSchema>

/** A list or section with its indices. */
export interface ListedIndices {
  target: ListTarget
  name: string
  ids: readonly IndexId[]
}

/** All lists, each followed by its sections. */
export function listTargets(watchlists: readonly Watchlist[]): ListedIndices[] {
  return watchlists.flatMap((list) => {
    const ids = list.entries.map(({ id }) => id)
    const sections = (list.sections ?? []).map(({ id, name, at }, place, all) => {
      return { target: { listId: list.id, sectionId: id }, name, ids: ids.slice(at, all[place + 1]?.at) }
    })
    return [{ target: { listId: list.id }, name: list.name, ids }, ...sections]
  })
}

/** The list or section as it is now. Undefined if it was deleted. */
export function listedAt(watchlists: readonly Watchlist[], target: ListTarget): ListedIndices | undefined {
  return listTargets(watchlists).find((each) => targetKey(each.target) === targetKey(target))
}

/** Unlike any id of an index. */
export function targetKey({ listId, sectionId }: ListTarget): string {
  return `any of ${listId} ${sectionId ?? ''}`
}

/** The draft of the rule of one index. */
export function draftFor({ draft }: Pick<ListAlert, 'draft'>, indexId: IndexId): AlertDraft {
  return { ...draft, indexId }
}

/** The alert as one row of a table. It cannot fire while its list has no indices. */
export function viewOfListAlert(alert: ListAlert, watchlists: readonly Watchlist[]): AlertView {
  const { id, draft, createdAtMs } = alert
  const listed = listedAt(watchlists, alert.target)
  const reason = listed === undefined ? `${alert.name} was deleted` : `${listed.name} is empty`
  return {
    ...draft,
    ...{ id, version: 1, createdAtMs, phase: 'armed' },
    anyOf: listed?.name ?? alert.name,
    ...((listed?.ids.length ?? 0) === 0 && { reach: { cannotFire: reason, sinceMs: createdAtMs } }),
  }
}
