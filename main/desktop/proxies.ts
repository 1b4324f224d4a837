import type { ProxyConfig } from 'electron'
import type { Preferences } from '../../core/preferences'
import { withTimeout, type Clock } from '../base/clock'
import { ProxyError } from '../base/routes'

/** The proxy from the command line or the environment. */
export interface GivenProxy {
  /** `http://host:port` */
  server?: string
  /** Why the given proxy cannot be used. */
  problem?: string
  /** Hosts reached without a proxy, in Chromium's rules. */
  bypassList: string
  /** User name and password of the address, as `Proxy-Authorization`. */
  authorization?: string
}

type Chosen = Pick<Preferences, 'proxy' | 'proxyServer' | 'proxyScript'>

interface Options {
  clock: Clock
  /** Sessions that no page uses: one that only resolves the system's proxy, and one for a configured proxy. */
  session: (asks: 'system' | 'named') => {
    setProxy: (config: ProxyConfig) => Promise<void>
    resolveProxy: (address: string) => Promise<string>
  }
  chosen: () => Chosen
  /** Its server replaces the system's. */
  given: GivenProxy
  /** Ends the process that runs PAC scripts. */
  endScripts: () => void
  /** Loads a PAC script. */
  readScript: (address: string, signal: AbortSignal) => Promise<string>
}

/** A PAC script may hang for ever. */
const timeoutMs = 5_000
const checkSettings = 'Check it in Settings, Network.'

/** Resolves the proxy of the user's setting or the system, as Chromium reads and runs them. */
export class Proxies {
  readonly #options: Options
  #configured: Promise<void> | undefined
  /** The settings that `#configured` applied. */
  #config = ''
  #namedCount = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns the answer of a PAC script: `PROXY host:port; DIRECT`. Throws `ProxyError`. */
  async resolve(address: string): Promise<string> {
    const { clock, session, chosen, given, endScripts } = this.#options
    const { proxy } = chosen()
    if (proxy === 'none') return 'DIRECT'
    // With this rule every address is direct, so the configuration need not be applied first.
    if (proxy !== 'pac' && given.bypassList.split(/[,;]/).some((rule) => rule.trim() === '*')) return 'DIRECT'
    const asks = proxy === 'system' && given.server === undefined ? 'system' : 'named'
    const subject = proxy === 'pac' ? 'The PAC script' : 'The system'
    const where = proxy === 'pac' ? checkSettings : 'Check the proxy in its network settings.'
    const controller = new AbortController()
    const answer = this.#configure(controller.signal).then(() => session(asks).resolveProxy(address))
    const answered = await withTimeout(answer, { clock, timeoutMs }, () => {
      // A script that hangs would block the next one too.
      endScripts()
      controller.abort()
      this.#configured = undefined
      return Promise.reject(new ProxyError(`${subject} did not name a proxy within ${timeoutMs / 1_000} s. ${where}`))
    })
    // Empty for a broken or unavailable script. A direct route is `DIRECT`.
    if (answered !== '') return answered
    this.#configured = undefined
    throw new ProxyError(`${subject} could not be asked for a proxy. ${where}`)
  }

  #configure(signal: AbortSignal): Promise<void> {
    // Only these settings, so that other changes do not load the script again.
    const { proxy, proxyServer, proxyScript } = this.#options.chosen()
    const key = JSON.stringify([proxy, proxyServer, proxyScript])
    if (this.#configured === undefined || this.#config !== key) {
      this.#config = key
      const configured = this.#apply(signal)
      this.#configured = configured
      configured.catch(() => {
        if (this.#configured === configured) this.#configured = undefined
      })
    }
    return this.#configured
  }

  async #apply(signal: AbortSignal): Promise<void> {
    const { session, chosen, given } = this.#options
    const { proxy, proxyServer, proxyScript } = chosen()
    const { server, problem } = given
    switch (proxy) {
      case 'fixed':
        if (proxyServer === '') throw new ProxyError('No proxy is set. Enter one in Settings, Network.')
        await this.#useServer(proxyServer, signal)
        return
      case 'pac':
        await this.#useScript(proxyScript, signal)
        return
      case 'system':
      case 'none':
        if (problem !== undefined) throw new ProxyError(problem)
        if (server === undefined) await session('system').setProxy({ mode: 'system' })
        else await this.#useServer(server, signal)
    }
  }

  async #useServer(server: string, signal: AbortSignal): Promise<void> {
    const { bypassList: proxyBypassRules } = this.#options.given
    // Addresses of services are resolved as `https`.
    await this.#use(
      (marker) => ({ mode: 'fixed_servers', proxyRules: `https=${server};http=${marker}`, proxyBypassRules }),
      signal,
    )
  }

  async #useScript(address: string, signal: AbortSignal): Promise<void> {
    const config = this.#config
    const script = await this.#script(address, signal)
    // Another proxy was chosen while the script was loading.
    if (config !== this.#config) return
    const named = (marker: string): ProxyConfig => {
      const marked = `${script}
;(function (chosen) {
  FindProxyForURL = function (url, host) { return url.indexOf('http://${marker}') === 0 ? 'PROXY ${marker}' : chosen(url, host) }
})(FindProxyForURL)`
      // As a data address, because Chromium has no network to load it.
      const pacScript = `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(marked).toString('base64')}`
      return { mode: 'pac_script', pacScript }
    }
    await this.#use(named, signal)
  }

  /**
   * Applies a configuration to Chromium. `setProxy` resolves too early: answers may still come from the previous
   * configuration, or say DIRECT. So this waits until Chromium resolves a name that exists only in this configuration.
   */
  async #use(named: (marker: string) => ProxyConfig, signal: AbortSignal): Promise<void> {
    const session = this.#options.session('named')
    const marker = `settings-${++this.#namedCount}.invalid:1`
    await session.setProxy(named(marker))
    while (!signal.aborted) {
      const answer = await session.resolveProxy(`http://${marker}/`)
      // An empty answer means a broken script.
      if (answer === '' || answer.includes(marker)) return
    }
  }

  async #script(address: string, signal: AbortSignal): Promise<string> {
    if (address === '') throw new ProxyError('No PAC script is set. Enter one in Settings, Network.')
    try {
      return await this.#options.readScript(address, signal)
    } catch {
      throw new ProxyError(`The PAC script at ${new URL(address).host} could not be loaded. ${checkSettings}`)
    }
  }
}
