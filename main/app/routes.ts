/** How services are reached, from the settings, the command line, the environment and Chromium. */
import { app, session } from 'electron'
import type { Clock } from '../base/clock'
import { Routes } from '../base/routes'
import { givenProxy } from '../desktop/launch-options'
import { Proxies } from '../desktop/proxies'
import type { ProxyCredentials } from '../connections/proxy-credentials'
import type { SettingsStore } from '../storage/settings'

const maxScriptLength = 2 ** 20

interface Parts {
  settings: SettingsStore
  credentials: ProxyCredentials
  clock: Clock
}

/** Nothing is resolved before the first connection, because Electron has no session before it is ready. */
export function createRoutes({ settings, credentials, clock }: Parts): Routes {
  const given = givenProxy({ argv: process.argv, env: process.env })
  if (given.authorization !== undefined) credentials.hide(given.authorization)
  const proxies = new Proxies({
    clock,
    session: (asks) => session.fromPartition(`proxies-${asks}`),
    chosen: () => settings.get(),
    given,
    endScripts,
    readScript,
  })
  return new Routes({
    resolveProxy: (address) => proxies.resolve(address),
    authorizationFor: async (proxy) =>
      (await credentials.authorization(proxy)) ?? (proxy === given.server ? given.authorization : undefined),
    usesProxyForLoopback: given.bypassList.split(/[,;]/).includes('<-loopback>'),
  })
}

/** Chromium runs scripts in a process of their own and starts another one when needed. */
function endScripts(): void {
  for (const { pid, serviceName } of app.getAppMetrics()) {
    if (serviceName?.startsWith('proxy_resolver.') === true) process.kill(pid, 'SIGKILL')
  }
}

async function readScript(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { signal, redirect: 'error' })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  let script = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    script += decoder.decode(chunk, { stream: true })
    if (script.length > maxScriptLength) throw new Error('too long')
  }
  return script
}
