import { expect, test } from 'vitest'
import { Routes } from '../../../../main/base/routes'
import { FakeClock } from '../../../support/fake-clock'

test('a system that never says which proxy to use is given up after five seconds', async () => {
  const clock = new FakeClock()
  const routes = new Routes({ clock, resolveProxy: () => new Promise(() => undefined) })
  const asked = expect(routes.proxyFor('https://service.example/')).rejects.toThrow('did not say which proxy')
  clock.advance(5_000)
  await asked
})

test('only host and port are asked about, and this computer never', async () => {
  const asked: string[] = []
  const resolveProxy = (address: string) => {
    asked.push(address)
    return Promise.resolve('PROXY office:3128; DIRECT')
  }
  const routes = new Routes({ clock: new FakeClock(), resolveProxy })
  expect(await routes.proxyFor('wss://service.example:8443/secret?key=1')).toBe('http://office:3128')
  expect(await routes.proxyFor('https://127.0.0.1:1/')).toBeUndefined()
  expect(routes.agentFor('wss://localhost/')).toBeUndefined()
  expect(asked).toEqual(['https://service.example:8443/'])
})
