import type { Owners } from './app-views'
import type { Clock } from './base/clock'
import { Webhooks } from './webhook/webhooks'

/** Tells the webhook of each rule that has one, and has the engine note what it answered. */
export function createWebhooks({ alerts }: Owners, clock: Clock): Webhooks {
  return new Webhooks({
    clock,
    urlOf: (ruleId) => alerts.views().find(({ id }) => id === ruleId)?.webhookUrl,
    onResult: (eventId, result) => {
      alerts.noteWebhook(eventId, result)
    },
  })
}
