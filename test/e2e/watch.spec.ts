import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { connectionVariables } from '../support/app-bench'
import { freeLoopbackPort } from '../../main/access/loopback-server'
import { expect, test } from '../support/app-test'
import { Keyring } from '../support/keyring'
import { launchPlainly } from '../support/plain-app'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { filesWith, secretForms } from '../support/secret-scan'
import { SystemdPeer } from '../support/systemd-peer'

/** The lines that a watch has printed so far. The array grows. */
function linesOf(child: ChildProcessWithoutNullStreams): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line) as Record<string, unknown>))
  return lines
}

async function exitOf(child: ChildProcessWithoutNullStreams): Promise<{ code: unknown; said: string }> {
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const [code] = (await once(child, 'close')) as unknown[]
  return { code, said }
}

test('without a display a watch prints values and alerts digit for digit', async ({ alerts, service, run, bench }) => {
  await run.make(levelDraft('101'))
  await run.running.quit()
  const port = (await freeLoopbackPort()) ?? 0
  const variables = { ...connectionVariables(addressOf(service)), DISPLAY: '' }
  const systemd = await SystemdPeer.start(bench.folder)
  const watch = bench.spawn(
    ['--ozone-platform=headless', 'watch', '--json', '--alerts', '--ids', 'BRTI,UNLISTED', '--metrics', String(port)],
    { ...variables, NOTIFY_SOCKET: systemd.address, WATCHDOG_USEC: '1000000' },
  )
  const ended = exitOf(watch)
  const lines = linesOf(watch)
  await expect.poll(() => lines).toContainEqual(expect.objectContaining({ type: 'status', state: 'live' }))
  await expect.poll(() => service.connectionCount).toBe(1)
  await expect.poll(() => systemd.heard.slice(0, 2)).toEqual(['READY=1', 'WATCHDOG=1'])

  alerts.publish('101.500')
  await expect.poll(() => lines.at(-1)).toMatchObject({ type: 'alert' })
  expect(lines.filter(({ type }) => type === 'value' || type === 'alert')).toMatchObject([
    { type: 'value', id: 'BRTI', value: '101.500', source: 'stream', connection: 'Environment', isDemo: false },
    { type: 'alert', id: 'BRTI', text: 'BRTI rose to 101.500 (level 101) · Environment', value: '101.500' },
  ])

  // An index of no watchlist.
  alerts.publish('5.10', 'UNLISTED')
  await expect.poll(() => lines.at(-1)).toMatchObject({ type: 'value', id: 'UNLISTED', value: '5.10' })

  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toMatch(/^indexwatch_index_age_seconds\{id="BRTI"\} \d/m)
  expect(metrics).toContain('indexwatch_connection_up{connection="Environment",isDemo="false"} 1')
  expect(metrics).toContain('indexwatch_alerts_fired_total 1')

  const second = await exitOf(bench.spawn(['watch', '--json'], variables))
  expect(second.code).toBe(2)
  expect(second.said).toContain('a headless watch is running on this profile')
  expect((await exitOf(bench.spawn([], variables))).code).toBe(2)

  service.welcome = { status: 401 }
  service.drop()
  const { code, said } = await ended
  expect(code).toBe(3)
  expect(said).toContain('refused this key')
  expect(lines.at(-1)).toMatchObject({ type: 'status', state: 'notAuthorised' })
  const { keyId, keySecret } = addressOf(service)
  const forms = secretForms(keyId, keySecret)
  expect(forms.filter((form) => `${metrics} ${said} ${JSON.stringify(lines)}`.includes(form))).toEqual([])
  expect(await filesWith(bench.userData, forms)).toEqual([])
  await systemd.stop()
})

test('without a display the program exports values digit for digit', async ({ alerts, run, bench }) => {
  alerts.publish('101.500')
  await run.watch.expectValue('BRTI', '101.500', '101.500')
  const path = join(bench.folder, 'values.csv')
  const exportAll = async () => {
    const exported = bench.spawn(['export', '--ids', 'BRTI', '--from', '2 hours ago', '--out', path], { DISPLAY: '' })
    let printed = ''
    exported.stdout.on('data', (data: Buffer) => (printed += data.toString()))
    expect((await exitOf(exported)).code).toBe(0)
    return printed
  }
  // The running app commits values every five seconds.
  await expect.poll(exportAll).toBe(`2 rows written to ${path}\n`)
  const rows = readFileSync(path, 'utf8').trim().split('\n')
  expect(rows.slice(1).map((row) => row.split(',').slice(0, 2))).toEqual([
    ['BRTI', '100.00'],
    ['BRTI', '101.500'],
  ])
  const unknown = await exitOf(
    bench.spawn(['export', '--ids', 'BRTX', '--from', 'yesterday', '--out', path], { DISPLAY: '' }),
  )
  expect(unknown).toMatchObject({
    code: 1,
    said: expect.stringContaining('the history has no values of BRTX. Did you mean BRTI'),
  })
})

test('a watch whose settings are of a newer version ends and says so', { tag: '@deep' }, async ({ bench }) => {
  const settings = join(bench.userData, 'settings.json')
  mkdirSync(bench.userData, { recursive: true })
  writeFileSync(settings, '{"version":99}')
  const newer = await exitOf(bench.spawn(['watch', '--json'], { DISPLAY: '' }))
  expect(newer).toMatchObject({ code: 2, said: expect.stringContaining('written by a newer version') })
  expect(readFileSync(settings, 'utf8')).toBe('{"version":99}')
})

test(
  'a watch prints the alerts of the given rules, and ends if a rule does not exist',
  { tag: '@deep' },
  async ({ alerts, service, run, bench }) => {
    await run.make({ ...levelDraft('101'), group: 'Desk' })
    await run.make(levelDraft('102'))
    await run.running.quit()
    const variables = { ...connectionVariables(addressOf(service)), DISPLAY: '' }
    const unknown = await exitOf(bench.spawn(['watch', '--rule', 'Night'], variables))
    expect(unknown).toMatchObject({ code: 2, said: expect.stringContaining('Groups are: “Desk”') })
    const watch = bench.spawn(['--ozone-platform=headless', 'watch', '--json', '--rule', 'Desk'], variables)
    const lines = linesOf(watch)
    await expect.poll(() => service.connectionCount).toBe(1)
    alerts.publish('103.500')
    await expect.poll(() => lines).toContainEqual(expect.objectContaining({ type: 'alert' }))
    alerts.publish('103.700')
    await expect.poll(() => lines.at(-1)).toMatchObject({ type: 'value', value: '103.700' })
    expect(lines.filter(({ type }) => type === 'alert')).toMatchObject([{ rule: expect.stringContaining('101') }])
    const ended = exitOf(watch)
    watch.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  },
)

test('a watch takes its key from the keyring, and continues after the session bus has ended', async ({
  bench,
  service,
}) => {
  const keyring = await Keyring.start(bench.environment())
  const app = await launchPlainly(bench)
  const { keyId, keySecret } = addressOf(service)
  const { webSocketUrl, restUrl } = service
  const profile = { id: 'a', name: 'a', auth: 'basic', isEnabled: true, keyId, webSocketUrl, restUrl } as const
  expect(await app.watch.ask('saveProfile', { profile, keySecret })).toEqual({ ok: true, value: { kept: 'keyring' } })
  await app.quit()

  const watch = bench.spawn(['watch', '--json', '--ids', 'BRTI'])
  watch.stderr.resume()
  const lines = linesOf(watch)
  await expect.poll(() => lines).toContainEqual(expect.objectContaining({ type: 'status', state: 'live' }))
  await expect.poll(() => service.connectionCount).toBe(1)
  await keyring.stop()
  await bench.endSessionBus()
  service.drop()
  await expect.poll(() => lines).toContainEqual(expect.objectContaining({ type: 'status', state: 'reconnecting' }))
  await expect.poll(() => lines.at(-1)).toMatchObject({ type: 'status', state: 'live' })
  service.sendValue('BRTI', '101.500', Date.now())
  await expect.poll(() => lines.at(-1)).toMatchObject({ type: 'value', value: '101.500' })
  expect(watch.exitCode).toBeNull()
})
