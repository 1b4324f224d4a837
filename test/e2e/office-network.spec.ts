import type { SimulatorAddress } from '../../simulator/address'
import type { Settings } from '../../core/model'
import { connectionVariables, type AppBench, type RunningApp } from '../support/app-bench'
import { expect, test as base } from '../support/app-test'
import { Daemon } from '../support/daemon'
import { startOfficeNetwork, type OfficeNetwork } from '../support/office-network'
import { levelDraft } from '../support/sample-alerts'
import { formsIn, secretForms } from '../support/secret-scan'
import { recordProcesses, type ProcessRecord } from '../support/process-record'

const test = base.extend<{ demo: SimulatorAddress; office: OfficeNetwork; record: ProcessRecord }>({
  /** The built demo service. The process of the tests does not compile code for speed, so the service costs more there. */
  demo: async ({}, use) => {
    const service = new Daemon('node', ['out/main/simulator-cli.js', '--port', '0'], ['ignore', 'pipe', 'inherit'])
    await use(JSON.parse(await service.firstLine(1)) as SimulatorAddress)
    await service.stop()
  },
  office: async ({ bench, demo }, use) => {
    const office = await startOfficeNetwork(bench.folder, Number(new URL(demo.rest).port))
    await use(office)
    office.stop()
  },
  record: async ({ bench }, use) => {
    await use(await recordProcesses(bench.folder))
  },
})

test.skip(process.platform !== 'linux', 'The proxy and the record are programs of Linux.')

/** The addresses of the service inside the company's network. */
function secured({ ws, rest, mcp }: SimulatorAddress, host: string) {
  const at = (url: string) => url.replace(/^(http|ws):\/\/[^/]+/, (_all, scheme: string) => `${scheme}s://${host}`)
  return { webSocketUrl: at(ws), restUrl: at(rest), mcpUrl: at(mcp) }
}

interface Parts {
  bench: AppBench
  demo: SimulatorAddress
  office: OfficeNetwork
  record: ProcessRecord
}

async function launch({ bench, demo, office, record }: Parts, settings: Partial<Settings>): Promise<RunningApp> {
  await bench.writeSettings(settings)
  const { webSocketUrl: ws, restUrl: rest } = secured(demo, office.service)
  const { keyId, keySecret } = demo
  // Loopback addresses must use the proxy too, because the test's hosts are local.
  return bench.launch(
    ['.', '--proxy-bypass-list=<-loopback>'],
    { ...connectionVariables({ ws, rest, keyId, keySecret }), NODE_EXTRA_CA_CERTS: office.authorities },
    record.program,
  )
}

test("behind a company's proxy every connection goes through the proxy", async ({ bench, demo, office, record }) => {
  const parts = { bench, demo, office, record }
  // A mistyped address, where no program listens.
  const mistyped = '127.0.0.1:9'
  const running = await launch(parts, { proxy: 'fixed', proxyServer: mistyped })
  const watch = await running.watch()
  const asks = `The proxy ${office.proxy} asks for a user name and password`
  await watch.page.evaluate(() => (location.hash = '#settings/network'))
  const section = watch.page.getByRole('region', { name: 'Network' })
  await expect(section.getByRole('radio', { name: 'Fixed' })).toBeChecked()
  await section.getByLabel('Proxy address').fill(office.proxy)
  await section.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(watch.page.getByText(asks).first()).toBeVisible()
  await expect.poll(async () => (await watch.snapshot()).state.hasProxyAsked).toBe(true)
  await section.getByLabel('Username').fill(office.user)
  await section.getByLabel('Password', { exact: true }).fill(office.password)
  await section.getByRole('button', { name: 'Save proxy sign-in' }).click()
  await watch.expectState('Live')
  await expect(watch.page.getByText(asks)).toHaveCount(0)

  await watch.open('Watchlists')
  const before = await watch.published('BRTI')
  await expect.poll(() => watch.published('BRTI')).not.toBe(before)
  const { keyId, keySecret } = demo
  const addresses = secured(demo, office.service)
  const profile = { id: 'p', name: 'Office', auth: 'basic', isEnabled: true, keyId, ...addresses } as const
  // The test asks stream, REST and tools.
  expect(await watch.ask('testConnection', { profile, keySecret })).toMatchObject({ ok: true })
  const draft = { ...levelDraft('1'), webhookUrl: office.webhookUrl }
  expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'fire' })).toMatchObject({ ok: true })
  await expect.poll(() => office.posted).toHaveLength(1)

  const text = Buffer.from(JSON.stringify([await watch.ask('getDiagnostics', {}), await watch.snapshot()]))
  expect(formsIn(text, secretForms(office.user, office.password))).toEqual([])
  await running.quit()
  expect(formsIn(Buffer.from(running.output()), secretForms(office.user, office.password))).toEqual([])
  expect(new Set(office.asked())).toEqual(new Set([office.service, new URL(office.webhookUrl).host]))
  expect(await record.addresses()).toEqual(new Set([mistyped, office.proxy]))
})

test(
  'control: without a proxy the record shows a connection to the service',
  { tag: '@deep' },
  async ({ bench, demo, office, record }) => {
    const running = await launch({ bench, demo, office, record }, { proxy: 'none' })
    await (await running.watch()).expectState('Live')
    await running.quit()
    expect(office.asked()).toEqual([])
    expect(await record.addresses()).toEqual(new Set([office.service]))
  },
)
