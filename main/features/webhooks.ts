import { done, failure, ok, type Failure, type Outcome, type SavedWebhook } from '../../core/model'
import {
  savedWebhookId,
  valuesProblem,
  webhookAddressOf,
  webhookService,
  type WebhookValues,
} from '../../core/webhook-services'
import type { AlertEvent } from '../../core/alert-events'
import type { CommandArguments, CommandHandlers } from '../../protocol/commands/contract'
import { Emitter } from '../base/emitter'
import type { SecretKeeper } from '../storage/secret-keeper'
import { attempt, secretsOf, type WebhookTarget } from '../webhook/attempt'
import { firingOf, templateProblem, testMessage } from '../webhook/message'
import { Webhooks } from '../webhook/webhooks'
import { slice, type Core, type SharedFeature } from './feature'

type WebhookCore = Pick<Core, 'clock' | 'routes' | 'settings' | 'newHosts' | 'hidden' | 'notice' | 'onError'>
type Entered = CommandArguments<'saveWebhook'>

interface Options {
  secrets: Pick<SecretKeeper, 'load' | 'save' | 'forget' | 'retry'>
  /** The events of the inbox, newest first. */
  inbox: () => readonly AlertEvent[]
  /** PEM certificates trusted instead of the usual ones. For tests. */
  ca?: string
}

/** Keeps the settings file within the size that can be read back. */
const maxWebhooks = 50
/** The log removes this many characters at the end of a secret. To find an address in every escape takes too long. */
const hiddenLength = 12
/** Of shorter secrets no part is shown. */
const minTailedLength = 12

const removed = failure('notFound', 'This webhook is not set up here. Choose another one in the alert.')
const withheld = failure(
  'secretMissing',
  'The secret of this webhook is missing. Enter it again in Settings, Webhooks.',
)

/** Webhooks: the saved ones with their secrets, and the sending to all. */
export function createWebhooks(core: WebhookCore, { secrets, inbox, ca }: Options) {
  const { settings, hidden, newHosts } = core
  const events = new Emitter<{ faultsChanged: null }>(core.onError)
  const faults = new Map<string, string>()
  const network = { ...core, ...(ca !== undefined && { ca }) }
  const saved = (id: string) => settings.get().webhooks.find((each) => each.id === id)

  function hide(target: WebhookTarget): WebhookTarget {
    for (const secret of secretsOf(target)) hidden.add(secret.slice(-hiddenLength))
    return target
  }

  async function secretValues(webhook: SavedWebhook): Promise<WebhookValues | undefined> {
    if (Object.keys(webhook.tails).length === 0) return {}
    const stored = await secrets.load(webhook.id, useOf(webhook))
    return stored === undefined ? undefined : (JSON.parse(stored) as WebhookValues)
  }

  async function target(address: string): Promise<Outcome<WebhookTarget>> {
    const id = savedWebhookId(address)
    if (id === undefined) return ok({ service: 'json', values: { url: address }, sendsNote: false })
    const webhook = saved(id)
    if (webhook === undefined) return removed
    const kept = await secretValues(webhook)
    return kept === undefined ? withheld : ok(hide({ ...webhook, values: { ...webhook.values, ...kept } }))
  }

  /** The typed webhook with the stored secrets that it keeps. They go only to the host they were entered for. */
  async function complete({ webhook, secrets: typed }: Entered): Promise<Outcome<WebhookTarget>> {
    const fields = Object.entries(webhookService(webhook.service).fields)
    const values: Record<string, string> = { ...webhook.values, ...typed }
    const before = saved(webhook.id)
    const kept = fields.filter(([name, { isSecret }]) => isSecret === true && typed[name] === undefined)
    if (before !== undefined && kept.some(([name]) => before.tails[name] !== undefined)) {
      const address = webhookAddressOf(values)
      const goesElsewhere = address !== '' && hostOf(address) !== before.host
      if (goesElsewhere || before.service !== webhook.service) {
        return failure('secretMissing', 'Enter the secrets again: the messages now go to another server.')
      }
      secrets.retry()
      const stored = await secretValues(before)
      if (stored === undefined) return withheld
      for (const [name] of kept) values[name] = stored[name] ?? ''
    }
    const { template } = webhook
    const wrongTemplate = template === undefined ? undefined : templateProblem(template)
    const problem =
      wrongTemplate === undefined
        ? valuesProblem(webhook.service, values)
        : { field: 'template', message: wrongTemplate }
    if (problem !== undefined) return refusalOf(problem)
    const found = hide({ ...webhook, values })
    return (await newHosts.refusal([webhookAddressOf(values)])) ?? ok(found)
  }

  async function store({ id, name }: Entered['webhook'], found: WebhookTarget): Promise<void> {
    const { service, values, template, sendsNote } = found
    const known: Record<string, string> = {}
    const secret: Record<string, string> = {}
    for (const [field, { isSecret }] of Object.entries(webhookService(service).fields)) {
      const text = values[field] ?? ''
      if (text !== '') (isSecret === true ? secret : known)[field] = text
    }
    const webhook: SavedWebhook = {
      ...{ id, name, service, values: known, sendsNote, host: hostOf(webhookAddressOf(values)) },
      ...(template !== undefined && { template }),
      tails: Object.fromEntries(Object.entries(secret).map(([field, text]) => [field, tailOf(text)])),
    }
    // Used immediately. Not awaited: the keyring may ask its user for a password first.
    void secrets.save(id, useOf(webhook), JSON.stringify(secret))
    faults.delete(id)
    events.emit('faultsChanged', null)
    const { webhooks } = settings.get()
    const isKnown = saved(id) !== undefined
    await settings.set({
      webhooks: isKnown ? webhooks.map((each) => (each.id === id ? webhook : each)) : [...webhooks, webhook],
    })
  }

  const sender = new Webhooks({
    ...network,
    target,
    firingOf: (event) => firingOf(event, inbox()),
    onMoved: (address, moved) => {
      const webhook = saved(savedWebhookId(address) ?? '')
      if (webhook !== undefined) void store(webhook, moved)
    },
    onHealth: (address, reason) => {
      const webhook = saved(savedWebhookId(address) ?? '')
      if (webhook === undefined) return
      if (reason === undefined) faults.delete(webhook.id)
      else {
        faults.set(webhook.id, reason)
        core.notice(`The webhook ${webhook.name} fails: ${reason}. Alerts stay in the inbox.`)
      }
      events.emit('faultsChanged', null)
    },
  })

  return {
    sender,
    slices: [slice(() => ({ webhookFaults: Object.fromEntries(faults) }), events, 'faultsChanged')],
    commands: {
      saveWebhook: async (entered) => {
        if (saved(entered.webhook.id) === undefined && settings.get().webhooks.length >= maxWebhooks) return tooMany
        const found = await complete(entered)
        if (!found.ok) return found
        await store(entered.webhook, found.value)
        return done
      },
      removeWebhook: async ({ webhookId }) => {
        const stored = settings.set({ webhooks: settings.get().webhooks.filter(({ id }) => id !== webhookId) })
        await secrets.forget(webhookId)
        await stored
        return done
      },
      testWebhook: async (entered) => {
        const found = await complete(entered)
        if (!found.ok) return found
        const controller = new AbortController()
        const { isAccepted, words } = await attempt(found.value, testMessage(core.clock.wallMs()), {
          ...network,
          controller,
        })
        const { lookIn } = webhookService(found.value.service)
        const isQueued = isAccepted && lookIn !== undefined
        return ok({ isAccepted, words: isQueued ? `${words}. Accepted; look in ${lookIn}` : words })
      },
    } satisfies Partial<CommandHandlers>,
  } satisfies SharedFeature
}

const tooMany = failure('tooManyWebhooks', `You have reached the limit of ${maxWebhooks} webhooks. Remove one first.`)

/** Secrets are read only for the service and the host that they were entered for. */
function useOf({ service, host }: Pick<SavedWebhook, 'service' | 'host'>): string {
  return `webhook ${service} ${host}`
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}

function tailOf(secret: string): string {
  return secret.length < minTailedLength ? '' : secret.slice(-4)
}

function refusalOf({ field, message }: { field: string; message: string }): Failure {
  return { ok: false, problem: { code: 'badArguments', field, message } }
}
