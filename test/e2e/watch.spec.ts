import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { connectionVariables } from '../support/app-bench'
import { freeLoopbackPort } from '../../main/loopback/loopback-server'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { secretForms } from '../support/secret-scan'

/** Everything a watch prints, as it comes. */
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

test('without a display a watch prints values and alerts digit for digit, alone on its profile, and ends with its key', async ({
  alerts,
  service,
  run,
  bench,
}) => {
  await run.make(levelDraft('101'))
  await run.running.quit()
  const port = (await freeLoopbackPort()) ?? 0
  const variables = { ...connectionVariables(addressOf(service)), DISPLAY: '' }
  const watch = bench.spawn(['watch', '--json', '--alerts', '--ids', 'BRTI', '--metrics', String(port)], variables)
  const ended = exitOf(watch)
  const lines = linesOf(watch)
  await expect.poll(() => lines).toContainEqual(expect.objectContaining({ type: 'status', state: 'live' }))
  await expect.poll(() => service.connectionCount).toBe(1)

  alerts.publish('101.500')
  await expect.poll(() => lines.at(-1)).toMatchObject({ type: 'alert' })
  expect(lines.filter(({ type }) => type === 'value' || type === 'alert')).toMatchObject([
    { type: 'value', id: 'BRTI', value: '101.500', source: 'stream', connection: 'Environment', isDemo: false },
    { type: 'alert', id: 'BRTI', title: 'BRTI rose to 101.500 (level 101) · Environment', value: '101.500' },
  ])

  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toMatch(/^indexwatch_index_age_seconds\{index="BRTI"\} \d/m)
  expect(metrics).toContain('indexwatch_connection_up{connection="Environment",demo="false"} 1')
  expect(metrics).toContain('indexwatch_alerts_fired_total 1')
  const { keyId, keySecret } = addressOf(service)
  expect(secretForms(keyId, keySecret).filter((form) => metrics.includes(form))).toEqual([])

  const second = await exitOf(bench.spawn(['watch', '--json'], variables))
  expect(second.code).toBe(2)
  expect(second.said).toContain('a watch without a window is running on this profile')
  expect((await exitOf(bench.spawn([], variables))).code).toBe(2)

  service.welcome = { status: 401 }
  service.drop()
  const { code, said } = await ended
  expect(code).toBe(3)
  expect(said).toContain('refused this key')
  expect(lines.at(-1)).toMatchObject({ type: 'status', state: 'notAuthorised' })
})
