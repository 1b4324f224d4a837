import { failure, type ConnectionProfile, type Failure } from '../../core/model'
import { knownServices } from '../../core/services'
import { isLoopback } from '../../core/shapes'
import { savedWebhookId } from '../../core/webhook-services'
import type { FileDialogs } from '../desktop/file-dialogs'
import type { SettingsStore } from '../storage/settings'

interface Options {
  settings: Pick<SettingsStore, 'get'>
  /** The webhooks of all alerts. */
  webhooks: () => readonly (string | undefined)[]
  dialogs: Pick<FileDialogs, 'confirmHost'>
  /** In development the services are on this machine, with a new port at each start. */
  trustsLoopback?: boolean
}

const notConfirmed = failure('notConfirmed', 'Nothing was sent: the connection to this host was not allowed.')
const askingAlready = failure('notConfirmed', 'A question about another host is open. Answer it first.')

/** The addresses of a profile. */
export function urlsOf({ webSocketUrl, restUrl, mcpUrl }: ConnectionProfile): (string | undefined)[] {
  return [webSocketUrl, restUrl, mcpUrl]
}

/**
 * Asks the user about each host that the window wants the app to contact for the first time. Code in the page must not
 * be able to send a key or a message anywhere by itself. Known hosts are those of the known services, of saved
 * connections, proxies and webhooks, and those allowed in this run.
 */
export class NewHosts {
  readonly #options: Options
  readonly #allowed = new Set<string>()
  #isAsking = false

  constructor(options: Options) {
    this.#options = options
  }

  /** The refusal `notConfirmed` for these addresses. Undefined if all are allowed. */
  async refusal(urls: readonly (string | undefined)[]): Promise<Failure | undefined> {
    const hosts = hostsOf(urls)
    if (hosts.size === 0) return undefined
    const known = this.#known()
    const { trustsLoopback = false } = this.#options
    const unknown = [...hosts].filter(
      (host) => !known.has(host) && !(trustsLoopback && isLoopback(host.replace(/:\d+$/, ''))),
    )
    if (unknown.length === 0) return undefined
    // A page that asks repeatedly opens one dialog.
    if (this.#isAsking) return askingAlready
    this.#isAsking = true
    try {
      for (const host of unknown) {
        if (!(await this.#options.dialogs.confirmHost(host))) return notConfirmed
        this.#allowed.add(host)
      }
      return undefined
    } finally {
      this.#isAsking = false
    }
  }

  #known(): Set<string> {
    const { settings, webhooks } = this.#options
    const known = [
      ...Object.values(knownServices).flatMap(({ webSocketUrl, restUrl }) => [webSocketUrl, restUrl]),
      ...settings.get().profiles.flatMap(urlsOf),
      ...webhooks(),
      ...settings.get().webhooks.map(({ host }) => `https://${host}/`),
      settings.get().desk?.address.replace(/^\w+:/, 'https:'),
      settings.get().proxyServer,
      settings.get().proxyScript,
      settings.get().secondWebhook,
      settings.get().heartbeatWebhook,
    ]
    return new Set([...hostsOf(known), ...this.#allowed])
  }
}

/** Thousands of alerts may share one address. */
function hostsOf(urls: readonly (string | undefined)[]): Set<string> {
  return new Set(
    [...new Set(urls)].flatMap((url = '') => (url === '' || savedWebhookId(url) !== undefined ? [] : [hostOf(url)])),
  )
}

/** Host and port in normalised form. */
function hostOf(url: string): string {
  return new URL(url.replace(/^ws/i, 'http')).host
}
