import { expect, test } from 'vitest'
import { Routes } from '../../../../main/base/routes'

function start(answer: string, usesProxyForLoopback = false) {
  const asked: string[] = []
  const resolveProxy = (address: string) => {
    asked.push(address)
    return Promise.resolve(answer)
  }
  return { routes: new Routes({ resolveProxy, usesProxyForLoopback }), asked }
}

test('only host and port are passed on, and never for this computer', async () => {
  const { routes, asked } = start('PROXY office:3128; DIRECT')
  expect(await routes.proxyFor('wss://service.example:8443/secret?key=1')).toBe('http://office:3128')
  expect(await routes.proxyFor('https://127.0.0.1:1/')).toBeUndefined()
  expect(routes.agentFor('wss://localhost/')).toBeUndefined()
  expect(asked).toEqual(['https://service.example:8443/'])
})

test('this computer is reached through a proxy if requested', async () => {
  const { routes } = start('PROXY office:3128', true)
  expect(await routes.proxyFor('https://127.0.0.1:1/')).toBe('http://office:3128')
  expect(routes.agentFor('wss://localhost/')).toBeDefined()
})

test.each([
  ['DIRECT', undefined],
  ['HTTPS office:443; PROXY other:1', 'https://office:443'],
])('%s is followed', async (answer, proxy) => {
  expect(await start(answer).routes.proxyFor('https://service.example/')).toBe(proxy)
})

test('an unsupported kind of proxy is an error and is not bypassed', async () => {
  const asked = start('SOCKS5 office:1080; DIRECT').routes.proxyFor('https://service.example/')
  await expect(asked).rejects.toThrow('SOCKS5 proxies are not supported. Use an HTTP or HTTPS proxy.')
})
