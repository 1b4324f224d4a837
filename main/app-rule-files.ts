import { basename } from 'node:path'
import { ruleWords } from '../protocol/alert-words'
import type { AlertDraft } from '../protocol/alerts'
import { formatDecimal } from '../protocol/decimal'
import type { CommandAnswer, CommandArguments } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import { mostRules } from './alerts/refusals'
import { newRules, readRuleFile, writeRuleFile } from './alerts/rule-file'
import { isListed } from './app-alert-preview'
import type { Owners } from './app-views'
import { mostUserJsonBytes } from './base/user-json'
import type { FileDialogs, SuggestedFile } from './desktop/file-dialogs'
import { readUserFile, saveUserFile } from './storage/user-file'

export interface RuleFileOptions {
  owners: Pick<Owners, 'alerts' | 'services' | 'values' | 'clock'>
  dialogs: FileDialogs
  newId: () => string
}

type Saved = { fileName: string } | null

/** Rules and the inbox on their way to a file, and rules on their way back. Remembers the one file to be imported. */
export class RuleFiles {
  readonly #options: RuleFileOptions
  #chosen: { importId: string; drafts: AlertDraft[] } | undefined

  constructor(options: RuleFileOptions) {
    this.#options = options
  }

  saveInboxCsv({ query }: CommandArguments<'saveInboxCsv'>): Promise<Outcome<Saved>> {
    return this.#save({ name: 'Alert inbox', kind: 'csv' }, () => ({
      ok: true,
      value: this.#options.owners.alerts.csv(query),
    }))
  }

  exportAlerts({ ruleIds }: CommandArguments<'exportAlerts'>): Promise<Outcome<Saved>> {
    return this.#save({ name: 'Alerts', kind: 'alerts' }, () => {
      const wanted = ruleIds && new Set(ruleIds)
      const rules = this.#options.owners.alerts.views().filter(({ id }) => wanted?.has(id) ?? true)
      if (wanted !== undefined && rules.length < wanted.size) {
        return problem('unknownRule', 'One of these alerts is gone already. Choose again.')
      }
      if (rules.length === 0) return problem('noRules', 'There are no alerts to export. Make one first.')
      const text = writeRuleFile(rules)
      if (Buffer.byteLength(text) <= mostUserJsonBytes) return { ok: true, value: text }
      return problem('tooLarge', 'So many alerts would make a file too large to be read back. Export fewer at a time.')
    })
  }

  async chooseAlertFile(): Promise<Outcome<CommandAnswer<'chooseAlertFile'>>> {
    const { owners, dialogs, newId } = this.#options
    const path = await dialogs.askWhichToRead('alerts')
    if (path === undefined) return { ok: true, value: null }
    this.#chosen = undefined
    const text = await readUserFile(path, mostUserJsonBytes)
    if (!text.ok) return text
    const catalogue = new Map(owners.services.catalogue.map((info) => [info.id, info]))
    const nowMs = owners.clock.wallMs()
    const drafts = readRuleFile(text.value, (indexId) => {
      const index = catalogue.get(indexId)
      return { nowMs, ...(index !== undefined && { index }) }
    })
    if (!drafts.ok) return drafts
    const added = this.#added(drafts.value)
    if (!added.ok) return added
    const importId = newId()
    this.#chosen = { importId, drafts: drafts.value }
    const adds = added.value.map((draft) => {
      const { indexId, webhookUrl } = draft
      const isKnown = isListed(owners.services, indexId) !== false
      const sentence = ruleWords(draft, formatDecimal)
      return { sentence, indexId, isKnown, ...(webhookUrl !== undefined && { webhookHost: new URL(webhookUrl).host }) }
    })
    const sameCount = drafts.value.length - added.value.length
    return { ok: true, value: { importId, fileName: basename(path), adds, sameCount } }
  }

  /** The rules may be others than when the file was chosen: what is new is found anew. */
  async importAlerts({ importId }: CommandArguments<'importAlerts'>): Promise<Outcome<CommandAnswer<'importAlerts'>>> {
    if (this.#chosen?.importId !== importId) {
      return problem(
        'unknownImport',
        'This file was imported already, or another one was chosen since. Choose it again.',
      )
    }
    const added = this.#added(this.#chosen.drafts)
    this.#chosen = undefined
    const { alerts, values } = this.#options.owners
    return added.ok ? alerts.createAll(added.value, (id) => values.store.get(id)) : added
  }

  #added(drafts: readonly AlertDraft[]): Outcome<AlertDraft[]> {
    const present = this.#options.owners.alerts.views()
    const added = newRules(drafts, present)
    if (present.length + added.length <= mostRules) return { ok: true, value: added }
    const message = `With these there would be more than ${mostRules} alerts. Delete some, or take some out of the file.`
    return problem('tooManyRules', message)
  }

  /** What is saved is what there is when the user has said where, not when they were asked. */
  async #save(suggestion: SuggestedFile, content: () => Outcome<string>): Promise<Outcome<Saved>> {
    const asked = content()
    if (!asked.ok) return asked
    const path = await this.#options.dialogs.askWhereToSave(suggestion)
    if (path === undefined) return { ok: true, value: null }
    const latest = content()
    const saved = await saveUserFile(path, (latest.ok ? latest : asked).value)
    return saved.ok ? { ok: true, value: { fileName: basename(path) } } : saved
  }
}

function problem(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}
