import type { ProxyConfig } from 'electron'
import { expect, test } from 'vitest'
import { Proxies, type GivenProxy } from '../../../../main/desktop/proxies'
import type { Preferences } from '../../../../core/preferences'
import { FakeClock } from '../../../support/fake-clock'

type Chosen = Pick<Preferences, 'proxy' | 'proxyServer' | 'proxyScript'>
const address = 'https://service.example/'

/** With a session that gives scripted answers and records its configurations. */
function start(chosen: Partial<Chosen> = {}, given: GivenProxy = { bypassList: '' }) {
  const clock = new FakeClock()
  const configs: ProxyConfig[] = []
  const state = {
    ...{ answer: Promise.resolve('PROXY office:3128'), script: Promise.resolve('pac'), ended: 0 },
    /** Number of requests that Chromium still answers by the former configuration. */
    lateBy: 0,
  }
  let left = 0
  const setting: Chosen = { proxy: 'system', proxyServer: '', proxyScript: '', ...chosen }
  const session = {
    setProxy: (config: ProxyConfig) => {
      configs.push(config)
      left = state.lateBy
      return Promise.resolve()
    },
    resolveProxy: (asked: string) => {
      if (left-- > 0) return Promise.resolve('DIRECT')
      const marker = /^http:\/\/(settings-\d+\.invalid:1)\//.exec(asked)?.[1]
      return state.answer.then((answer) => (marker === undefined || answer === '' ? answer : `PROXY ${marker}`))
    },
  }
  /** The configurations without their markers. */
  const meant = () =>
    configs.map(({ proxyRules, pacScript, ...config }) => ({
      ...config,
      ...(proxyRules !== undefined && {
        proxyRules: proxyRules.replace(/^https=(.*);http=settings-\d+\.invalid:1$/, '$1'),
      }),
      ...(pacScript !== undefined && {
        pacScript: Buffer.from(pacScript.split(',')[1] ?? '', 'base64')
          .toString()
          .split('\n')[0],
      }),
    }))
  const proxies = new Proxies({
    clock,
    session: () => session,
    chosen: () => setting,
    given,
    endScripts: () => {
      state.ended++
    },
    readScript: () => state.script,
  })
  return { proxies, clock, configs, meant, state, setting }
}

test("uses the system's proxy by default, and configures it once", async () => {
  const { proxies, configs } = start()
  expect(await proxies.resolve(address)).toBe('PROXY office:3128')
  await proxies.resolve(address)
  expect(configs).toEqual([{ mode: 'system' }])
})

test("a proxy of the command line or environment replaces the system's", async () => {
  const { proxies, meant } = start({}, { server: 'http://given:1', bypassList: 'inner.example' })
  await proxies.resolve(address)
  expect(meant()).toEqual([{ mode: 'fixed_servers', proxyRules: 'http://given:1', proxyBypassRules: 'inner.example' }])
})

test('a configured proxy or script takes precedence, immediately after a change', async () => {
  const given = { server: 'http://given:1', bypassList: '' }
  const { proxies, meant, setting } = start({ proxy: 'fixed', proxyServer: 'http://own:2' }, given)
  await proxies.resolve(address)
  Object.assign(setting, { proxy: 'pac', proxyScript: 'https://office.example/proxy.pac' })
  await proxies.resolve(address)
  expect(meant()).toEqual([
    { mode: 'fixed_servers', proxyRules: 'http://own:2', proxyBypassRules: '' },
    { mode: 'pac_script', pacScript: 'pac' },
  ])
})

test.each([
  ['fixed', { proxy: 'fixed', proxyServer: 'http://own:2' }, {}],
  ['a script', { proxy: 'pac', proxyScript: 'https://office.example/proxy.pac' }, {}],
  ['of the environment', {}, { server: 'http://given:1' }],
] as const)('a proxy that Chromium learns of later than it says is waited for: %s', async (_name, chosen, given) => {
  const { proxies, state } = start(chosen, { bypassList: '', ...given })
  state.lateBy = 3
  expect(await proxies.resolve(address)).toBe('PROXY office:3128')
})

test('does not resolve a named proxy if everything is direct', async () => {
  const { proxies, configs } = start({ proxy: 'fixed', proxyServer: 'http://own:2' }, { bypassList: 'a.example; *' })
  expect(await proxies.resolve(address)).toBe('DIRECT')
  expect(configs).toEqual([])
})

test('other settings do not reconfigure it', async () => {
  const { proxies, configs, setting } = start()
  await proxies.resolve(address)
  Object.assign(setting, { theme: 'dark' })
  await proxies.resolve(address)
  expect(configs).toHaveLength(1)
})

test('without a proxy nothing is resolved', async () => {
  const { proxies, configs } = start({ proxy: 'none' }, { server: 'http://given:1', bypassList: '' })
  expect(await proxies.resolve(address)).toBe('DIRECT')
  expect(configs).toEqual([])
})

test('ends a hanging script after five seconds, and the next one starts afresh', async () => {
  const { proxies, clock, configs, state } = start({ proxy: 'pac', proxyScript: 'https://office.example/proxy.pac' })
  state.answer = new Promise(() => undefined)
  const asked = expect(proxies.resolve(address)).rejects.toThrow(
    'The PAC script did not name a proxy within 5 s. Check it in Settings, Network.',
  )
  clock.advance(5_000)
  await asked
  expect(state.ended).toBe(1)
  state.answer = Promise.resolve('DIRECT')
  expect(await proxies.resolve(address)).toBe('DIRECT')
  expect(configs).toHaveLength(2)
})

test('a broken or missing script is an error and is not bypassed', async () => {
  const { proxies, state } = start({ proxy: 'pac', proxyScript: 'https://office.example/proxy.pac' })
  state.answer = Promise.resolve('')
  await expect(proxies.resolve(address)).rejects.toThrow(
    'The PAC script could not be asked for a proxy. Check it in Settings, Network.',
  )
  state.script = Promise.reject(new Error('HTTP 404'))
  await expect(proxies.resolve(address)).rejects.toThrow('PAC script at office.example could not be loaded')
})

test('an unusable given proxy is reported and not bypassed', async () => {
  const { proxies, configs } = start({}, { problem: 'Not this one.', bypassList: '' })
  await expect(proxies.resolve(address)).rejects.toThrow('Not this one.')
  expect(configs).toEqual([])
})

test('ignores a script that loads after another choice', async () => {
  const { proxies, meant, state, setting } = start({ proxy: 'pac', proxyScript: 'https://office.example/proxy.pac' })
  let load: (script: string) => void = () => undefined
  state.script = new Promise((resolve) => {
    load = resolve
  })
  const first = proxies.resolve(address)
  Object.assign(setting, { proxy: 'fixed', proxyServer: 'http://own:2' })
  await proxies.resolve(address)
  load('pac')
  await first
  expect(meant()).toEqual([{ mode: 'fixed_servers', proxyRules: 'http://own:2', proxyBypassRules: '' }])
})
