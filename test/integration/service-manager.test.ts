import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ServiceManager } from '../../main/app/service-manager'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { RecordedLog } from '../support/recorded-log'
import { SystemdPeer } from '../support/systemd-peer'
import { temporaryFolder } from '../support/temporary-folder'

/** A watch started by systemd with these variables, and the messages to systemd. */
async function open(variables: Record<string, string> = {}) {
  const systemd = await SystemdPeer.start(temporaryFolder())
  onTestFinished(() => systemd.stop())
  const clock = new FakeClock()
  const log = new RecordedLog()
  const env = { ...process.env, NOTIFY_SOCKET: systemd.address, ...variables }
  const manager = new ServiceManager({ env, pid: process.pid, clock, log })
  onTestFinished(() => manager.dispose())
  const hears = (states: string[]) => eventually(() => expect(systemd.heard).toEqual(states))
  return { manager, clock, log, hears }
}

test('tells systemd that the watch is ready, and twice per period that it is alive', async () => {
  const { manager, clock, log, hears } = await open({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) })
  expect(clock.pending).toBe(0)
  manager.ready()
  await hears(['READY=1'])
  clock.advance(14_999)
  clock.advance(1)
  await hears(['READY=1', 'WATCHDOG=1'])
  clock.advance(15_000)
  await hears(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1'])
  manager.dispose()
  expect(clock.pending).toBe(0)
  expect(log.entries).toEqual([])
})

test.each([
  ['no watchdog', {}],
  ['the watchdog of another process', { WATCHDOG_USEC: '30000000', WATCHDOG_PID: '1' }],
  ['a time that is none', { WATCHDOG_USEC: 'soon' }],
])('with %s it only tells systemd that the watch is ready', async (_name, variables) => {
  const { manager, clock, hears } = await open(variables)
  manager.ready()
  await hears(['READY=1'])
  expect(clock.pending).toBe(0)
})

test('does nothing without systemd, and logs if it does not listen', async () => {
  const clock = new FakeClock()
  const log = new RecordedLog()
  const env = { PATH: process.env['PATH'], WATCHDOG_USEC: '30000000' }
  new ServiceManager({ env, pid: process.pid, clock, log }).ready()
  expect(clock.pending).toBe(0)
  const address = join(temporaryFolder(), 'nobody')
  const alone = new ServiceManager({ env: { ...env, NOTIFY_SOCKET: address }, pid: process.pid, clock, log })
  alone.ready()
  await eventually(() => expect(log.texts('warn')).toEqual(['systemd could not be notified']))
  alone.dispose()
})
