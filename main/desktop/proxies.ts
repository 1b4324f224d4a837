import type { ProxyConfig } from 'electron'
import type { Preferences } from '../../protocol/preferences'
import type { Clock } from '../base/clock'
import { ProxyError } from '../base/routes'

/** What the command line and the environment say of a proxy. */
export interface GivenProxy {
  /** `http://host:port` */
  server?: string
  /** Why what was given as one cannot be used. */
  problem?: string
  /** What is reached without one, in Chromium's rules. */
  bypassList: string
  /** What the address had of name and password, as `Proxy-Authorization`. */
  authorization?: string
}

type Chosen = Pick<Preferences, 'proxy' | 'proxyServer' | 'proxyScript'>

interface Options {
  clock: Clock
  /** A session that no page has. */
  session: () => {
    setProxy: (config: ProxyConfig) => Promise<void>
    resolveProxy: (address: string) => Promise<string>
  }
  chosen: () => Chosen
  /** Its server stands for the system's. */
  given: GivenProxy
  /** Ends the process that runs PAC scripts. */
  endScripts: () => void
  /** Gets a PAC script. */
  readScript: (address: string, signal: AbortSignal) => Promise<string>
}

/** A PAC script may hang for ever. */
const timeoutMs = 5_000
const checkSettings = 'Check it in Settings, Network.'

/** Which proxy the user's setting and the system name, as Chromium reads and runs them. */
export class Proxies {
  readonly #options: Options
  #configured: Promise<void> | undefined
  /** Which configuration that is. */
  #config = ''

  constructor(options: Options) {
    this.#options = options
  }

  /** As a PAC script answers: `PROXY host:port; DIRECT`. Throws `ProxyError`. */
  async resolve(address: string): Promise<string> {
    const { clock, session, chosen, endScripts } = this.#options
    const { proxy } = chosen()
    if (proxy === 'none') return 'DIRECT'
    const subject = proxy === 'pac' ? 'The PAC script' : 'The system'
    const where = proxy === 'pac' ? checkSettings : 'Check the proxy in its network settings.'
    const controller = new AbortController()
    let cancel: () => void = () => undefined
    const timeout = new Promise<never>((_, reject) => {
      cancel = clock.after(timeoutMs, () => {
        // A script that hangs would hold up the one after it too.
        endScripts()
        controller.abort()
        this.#configured = undefined
        reject(new ProxyError(`${subject} did not say within ${timeoutMs / 1_000} s which proxy to use. ${where}`))
      })
    })
    const answer = async () => {
      await this.#configure(controller.signal)
      return session().resolveProxy(address)
    }
    try {
      const answered = await Promise.race([answer(), timeout])
      // Of a script that is broken or cannot be loaded; what is direct is called so.
      if (answered !== '') return answered
      this.#configured = undefined
      throw new ProxyError(`${subject} could not be asked which proxy to use. ${where}`)
    } finally {
      cancel()
    }
  }

  #configure(signal: AbortSignal): Promise<void> {
    // Of all the settings these alone: another one must not have the script loaded again.
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
    const { server, problem, bypassList: proxyBypassRules } = given
    switch (proxy) {
      case 'fixed':
        if (proxyServer === '') throw new ProxyError('No proxy is named. Name one in Settings, Network.')
        await session().setProxy({ mode: 'fixed_servers', proxyRules: proxyServer, proxyBypassRules })
        return
      case 'pac':
        await this.#useScript(proxyScript, signal)
        return
      case 'system':
      case 'none':
        if (problem !== undefined) throw new ProxyError(problem)
        if (server === undefined) await session().setProxy({ mode: 'system' })
        else await session().setProxy({ mode: 'fixed_servers', proxyRules: server, proxyBypassRules })
    }
  }

  async #useScript(address: string, signal: AbortSignal): Promise<void> {
    const config = this.#config
    const pacScript = await this.#script(address, signal)
    // What was chosen while it was read is in use already.
    if (config === this.#config) await this.#options.session().setProxy({ mode: 'pac_script', pacScript })
  }

  /** The script itself, as an address: Chromium could not load it, since it reaches nobody. */
  async #script(address: string, signal: AbortSignal): Promise<string> {
    if (address === '') throw new ProxyError('No PAC script is named. Name one in Settings, Network.')
    try {
      const script = await this.#options.readScript(address, signal)
      return `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(script).toString('base64')}`
    } catch {
      throw new ProxyError(`The PAC script at ${new URL(address).host} could not be loaded. ${checkSettings}`)
    }
  }
}
