/** Commands about webhooks. Secret values are sent only to the main process, never back. */
import { webhookSchema, webhookSecretsSchema } from '../../core/settings-schema'
import { command, localId } from './command'

const entered = { webhook: webhookSchema, secrets: webhookSecretsSchema }

export const webhookCommands = {
  /** Saves a webhook. A secret that is left out stays, an empty one is removed. Problem `secretMissing`. */
  saveWebhook: command(entered).answers<null>(),
  /** Deletes a webhook and its secrets. */
  removeWebhook: command({ webhookId: localId }).answers<null>(),
  /** Sends a test message without saving, and returns the service's answer in words. */
  testWebhook: command(entered).answers<{ isAccepted: boolean; words: string }>(),
}
