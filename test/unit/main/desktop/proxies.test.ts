import type { ProxyConfig } from 'electron'
import { expect, test } from 'vitest'
import { Proxies, type GivenProxy } from '../../../../main/desktop/proxies'
import type { Preferences } from '../../../../core/preferences'
import { FakeClock } from '../../../support/fake-clock'

type Chosen = Pick<Preferences, 'proxy' | 'proxyServer' | 'proxyScript'>
const address = 'https://service.example/'

/** With a session that answers as it is scripted and keeps how it was configured. */
function start(chosen: Partial<Chosen> = {}, given: GivenProxy = { bypassList: '' }) {
  const clock = new FakeClock()
  const configs: ProxyConfig[] = []
  const state = {
    ...{ answer: Promise.resolve('PROXY office:3128'), script: Promise.resolve('pac'), ended: 0 },
    /** How many questions Chromium answers by what was configured before. */
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
  /** Configurations as the user means them, without the name that each has for itself. */
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

test('the system is asked by default, and configured once', async () => {
  const { proxies, configs } = start()
  expect(await proxies.resolve(address)).toBe('PROXY office:3128')
  await proxies.resolve(address)
  expect(configs).toEqual([{ mode: 'system' }])
})

test('what the command line or the environment names stands for the system', async () => {
  const { proxies, meant } = start({}, { server: 'http://given:1', bypassList: 'inner.example' })
  await proxies.resolve(address)
  expect(meant()).toEqual([{ mode: 'fixed_servers', proxyRules: 'http://given:1', proxyBypassRules: 'inner.example' }])
})

test('a proxy or a script that is set wins, and holds as soon as it is changed', async () => {
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

test('where everything goes straight a proxy that is named is asked for nothing', async () => {
  const { proxies, configs } = start({ proxy: 'fixed', proxyServer: 'http://own:2' }, { bypassList: 'a.example; *' })
  expect(await proxies.resolve(address)).toBe('DIRECT')
  expect(configs).toEqual([])
})

test('another setting that changes configures nothing', async () => {
  const { proxies, configs, setting } = start()
  await proxies.resolve(address)
  Object.assign(setting, { theme: 'dark' })
  await proxies.resolve(address)
  expect(configs).toHaveLength(1)
})

test('none asks nobody', async () => {
  const { proxies, configs } = start({ proxy: 'none' }, { server: 'http://given:1', bypassList: '' })
  expect(await proxies.resolve(address)).toBe('DIRECT')
  expect(configs).toEqual([])
})

test('a script that hangs is ended after five seconds, and the next question starts afresh', async () => {
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

test('a script that is broken or cannot be loaded is an error, not a way around the proxy', async () => {
  const { proxies, state } = start({ proxy: 'pac', proxyScript: 'https://office.example/proxy.pac' })
  state.answer = Promise.resolve('')
  await expect(proxies.resolve(address)).rejects.toThrow(
    'The PAC script could not be asked for a proxy. Check it in Settings, Network.',
  )
  state.script = Promise.reject(new Error('HTTP 404'))
  await expect(proxies.resolve(address)).rejects.toThrow('PAC script at office.example could not be loaded')
})

test('one given that cannot be used is said, and nothing goes around it', async () => {
  const { proxies, configs } = start({}, { problem: 'Not this one.', bypassList: '' })
  await expect(proxies.resolve(address)).rejects.toThrow('Not this one.')
  expect(configs).toEqual([])
})

test('a script that comes after another choice was made is not used', async () => {
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
