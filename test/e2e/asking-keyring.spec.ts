import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionVariables, type AppBench } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { Keyring, startSilentKeyring } from '../support/keyring'
import { launchPlainly, type PlainApp } from '../support/plain-app'
import { processTree } from '../support/process-memory'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'
import { filesWith, formsIn, secretForms } from '../support/secret-scan'

const keyId = 'key-of-mine'
const keySecret = 'canary-7f3a-of-mine'
const waits = "Waiting for this system's keyring"

/** Starts the app with a way to measure the longest block of its main thread. */
async function launch(bench: AppBench, variables: Record<string, string> = {}) {
  const file = join(bench.folder, 'blocks')
  const app = await launchPlainly(bench, {
    ...variables,
    NODE_OPTIONS: '--require ./test/support/allow-hosts.cjs --require ./test/support/main-blocks.cjs',
    INDEXWATCH_TEST_BLOCKS: file,
  })
  /** Longest block since the last call, in milliseconds. */
  const longestBlock = async (): Promise<number> => {
    await rm(file, { force: true })
    process.kill(app.pid, 'SIGUSR2')
    let text = ''
    await expect
      .poll(async () => {
        text = await readFile(file, 'utf8').catch(() => '')
        return text
      })
      .toMatch(/\n$/)
    return Number(text)
  }
  return { ...app, longestBlock }
}

/** Expects that no command line, environment or file has the secret. */
async function expectSecretUntold(bench: AppBench, app: PlainApp): Promise<void> {
  const forms = secretForms(keyId, keySecret)
  for (const pid of await processTree(app.pid)) {
    for (const name of ['cmdline', 'environ']) {
      const said = await readFile(`/proc/${pid}/${name}`).catch(() => Buffer.alloc(0))
      expect(formsIn(said, forms)).toEqual([])
    }
  }
  expect(await filesWith(bench.folder, forms)).toEqual([])
}

async function fillIn({ watch }: PlainApp, webSocketUrl: string): Promise<void> {
  await watch.open('Settings')
  await watch.page.getByRole('button', { name: 'Add connection' }).click()
  await watch.page.getByRole('radio', { name: 'Custom' }).check()
  await watch.page.getByLabel('Name', { exact: true }).fill('Mine')
  await watch.page.getByLabel('WebSocket address').fill(webSocketUrl)
  await watch.page.getByLabel('Key id').fill(keyId)
  await watch.page.getByLabel('Key secret').fill(keySecret)
  await watch.page.getByRole('button', { name: 'Save', exact: true }).click()
}

/** Saves a connection with its key in an unlocked keyring and ends the app. */
async function saveFirst(bench: AppBench, service: ScriptedService): Promise<void> {
  const keyring = await Keyring.start(bench.environment())
  const app = await launchPlainly(bench)
  const { ws: webSocketUrl, rest: restUrl } = addressOf(service)
  const profile = { id: 'mine', name: 'Mine', auth: 'basic', isEnabled: true, webSocketUrl, restUrl, keyId } as const
  const answer = await app.watch.ask('saveProfile', { profile, keySecret })
  expect(answer).toEqual({ ok: true, value: { kept: 'keyring' } })
  await app.watch.expectState('Live')
  await app.quit()
  await keyring.stop()
}

function print(what: string, ms: number): void {
  process.stdout.write(`the longest block of main while ${what}: ${ms.toFixed(1)} ms\n`)
}

test('while a keyring asks for its password, values tick and an alert fires', async ({ bench, alerts }) => {
  const keyring = await Keyring.startLocked(bench.environment())
  const spare = await ScriptedService.start()
  const app = await launch(bench, connectionVariables(addressOf(alerts.service)))
  const { watch } = app
  await watch.expectState('Live')
  alerts.publish('100.00')
  await watch.expectValue('BRTI', '100.00', '100.00')
  const draft = levelDraft('105.00', { indexId: 'BRTI' })
  expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'wait' })).toMatchObject({ ok: true })

  await fillIn(app, addressOf(spare).ws)
  await keyring.expectQuestion()
  await app.longestBlock()
  await expect(watch.page.getByText(waits)).toBeVisible()
  alerts.publish('104.00')
  alerts.publish('106.00')
  await bench.peer.nextAlert('BRTI')
  expect((await watch.snapshot()).quotes.find(({ id }) => id === 'BRTI')?.value).toBe('106.00')
  await expectSecretUntold(bench, app)
  expect(await keyring.isAsking()).toBe(true)
  print('the keyring asks at a save', await app.longestBlock())

  await watch.page.getByRole('button', { name: 'Cancel' }).click()
  await expect(watch.page.getByRole('dialog')).toHaveCount(0)
  await keyring.allow()
  expect((await watch.snapshot()).state.settings.profiles).toEqual([])

  await fillIn(app, addressOf(spare).ws)
  await expect(watch.page.getByRole('group', { name: 'Message' })).toContainText("stored in this system's keyring")
  await expectSecretUntold(bench, app)
  await app.quit()
  await keyring.stop()
  await spare.stop()
})

test('with a keyring that stays locked or never answers the key is kept for the session', async ({
  bench,
  service,
}) => {
  const other = await ScriptedService.start()
  const keyring = await Keyring.startLocked(bench.environment())
  const app = await launch(bench)
  const { watch } = app
  await watch.expectState('Demo')

  await test.step('stays locked: the window says so', async () => {
    await fillIn(app, addressOf(service).ws)
    await keyring.refuseUntil(() => watch.notices.getByText('restart Indexwatch').isVisible())
    await expect(watch.page.getByRole('group', { name: 'Message' })).toContainText('until Indexwatch quits')
    await expect(watch.notices).toContainText('Unlock the keyring, restart Indexwatch and enter the secret again.')
    await watch.expectState('Live')
    await expectSecretUntold(bench, app)
    await keyring.stop()
  })

  await test.step('never answers: saving is not delayed', async () => {
    const stop = await startSilentKeyring(bench.environment())
    await app.longestBlock()
    await fillIn(app, addressOf(other).ws)
    await expect(watch.page.getByText(waits)).toBeVisible()
    expect(await watch.ask('renameList', { listId: 'watchlist', name: 'Meanwhile' })).toMatchObject({ ok: true })
    print('a secret service is silent at a save', await app.longestBlock())
    await watch.page.getByRole('button', { name: 'Save until Indexwatch quits' }).click()
    await expect.poll(() => other.connectionCount).toBe(1)
    await app.quit()
    stop()
  })
  await other.stop()
})

test('a keyring that asks, is refused or never answers delays no start and loses no key', async ({
  bench,
  service,
}) => {
  await saveFirst(bench, service)
  await test.step('asks', async () => {
    const keyring = await Keyring.start(bench.environment(), { isUnlocked: false, asks: true })
    const app = await launch(bench)
    const { watch } = app
    await keyring.expectQuestion()
    await app.longestBlock()
    await watch.expectState('Connecting')
    await watch.open('Settings')
    await expect(watch.page.getByText('Waiting for the keyring to return the key').first()).toBeVisible()
    const renamed = await watch.ask('renameList', { listId: 'watchlist', name: 'Meanwhile' })
    expect(renamed).toMatchObject({ ok: true })
    print('the keyring asks at the start', await app.longestBlock())
    await keyring.allow()
    await watch.expectState('Live')
    await app.quit()
    await keyring.stop()
  })
  await test.step('refused', async () => {
    const keyring = await Keyring.start(bench.environment(), { isUnlocked: false, asks: true })
    const { watch, quit } = await launch(bench)
    await keyring.refuseUntil(() => watch.notices.getByText('restart Indexwatch').isVisible())
    await watch.expectState('Alerts are off: the key is not available')
    await expect(watch.notices).toContainText('Unlock it and restart Indexwatch.')
    await quit()
    await keyring.stop()
  })
  await test.step('silent', async () => {
    const stop = await startSilentKeyring(bench.environment())
    const app = await launch(bench)
    await app.watch.expectState('Connecting')
    await app.longestBlock()
    const renamed = await app.watch.ask('renameList', { listId: 'watchlist', name: 'Meanwhile' })
    expect(renamed).toMatchObject({ ok: true })
    print('a secret service is silent at the start', await app.longestBlock())
    const members = await processTree(app.pid)
    await app.quit()
    stop()
    // The process that waits for the keyring has ended too.
    await expect.poll(async () => (await Promise.all(members.map(isRunning))).includes(true)).toBe(false)
  })
  const keyring = await Keyring.start(bench.environment())
  const last = await launch(bench)
  await last.watch.expectState('Live')
  await last.quit()
  await keyring.stop()
})

async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State: Z')
  return !/^State:\s*Z/m.test(status)
}
