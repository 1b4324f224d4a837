import { readFileSync } from 'node:fs'
import { readMessage } from '../../core/desk'
import { DeskLink } from '../../main/desk/link'
import { expect, test } from '../support/app-test'
import { JudgingEngine, startSeat, startWatcher } from '../support/desk-parts'
import { NatsServer } from '../support/nats-server'
import { levelDraft } from '../support/sample-alerts'
import { filesWith, formsIn, secretForms } from '../support/secret-scan'

test('an alert of the desk fires once on each seat, later on one that was off', async ({ alerts, bench, run }) => {
  const sample = readFileSync('resources/desk/desk.conf', 'utf8')
  const password = 'Vq4mTz8xLw2pKr6n'
  const configuration = sample.slice(sample.indexOf('WATCHER: {')).replace('change-me-3', password)
  const server = await NatsServer.start({ configuration })
  const accessOf = (user: string, word: string) => {
    return { address: server.address, name: 'london', signIn: { user, password: word } }
  }
  const engines = [await JudgingEngine.open(), await JudgingEngine.open()]
  const watchers = []
  for (const [at, judging] of engines.entries()) {
    const name = `watch-${at + 1}`
    watchers.push(await startWatcher({ access: accessOf(name, `change-me-${at + 1}`), name, judging }))
  }
  const ben = await startSeat({ access: accessOf('ben', 'change-me-4') })
  let atMs = Date.now()
  const cross = () => {
    for (const value of ['99', '102']) {
      atMs = Math.max(atMs + 1, Date.now())
      for (const judging of engines) judging.see({ value, publishedAtMs: atMs })
    }
  }

  const { page } = run.watch
  await run.watch.open('Settings')
  await page.getByRole('button', { name: 'Join a desk' }).click()
  const dialog = page.getByRole('dialog', { name: 'Join a desk' })
  await dialog.getByLabel('Address').fill('nats://desk.example:4222')
  await dialog.getByLabel('Name of the desk').fill('london')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Enter an address that begins with tls://')
  await dialog.getByLabel('Address').fill(server.address)
  await dialog.getByLabel('User').fill('ana')
  await dialog.getByLabel('Password').fill('wrong')
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  const result = dialog.getByRole('region', { name: 'Test of the connection' })
  await expect(result).toContainText("The desk's server refused the user or the password.")
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(result).toContainText('Signed in. watch-1 checks the desk’s alerts.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Desk', exact: true })).toContainText('Checked by watch-1.')

  const kept = await DeskLink.open(accessOf('ben', 'change-me-4'), 'lists')
  if (!kept.ok) throw new Error(kept.problem.message)
  const lists = async () => {
    const all = await kept.value.kept().all('list.>')
    return all.ok ? all.value.map(({ value }) => readMessage('list', value)) : []
  }
  const listName = (await run.state()).settings.watchlists[0]?.name ?? ''
  const actOn = async (item: string) => {
    await page.getByRole('button', { name: `Actions for ${listName}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await actOn('Move to the desk')
  await expect.poll(lists).toMatchObject([{ value: { list: { name: listName }, by: 'ana' } }])
  await actOn('New section…')
  await page.getByRole('dialog').getByRole('textbox').fill('Majors')
  await page.keyboard.press('Enter')
  await expect.poll(lists).toMatchObject([{ value: { list: { sections: [{ name: 'Majors' }] } } }])
  await expect.poll(async () => (await run.state()).settings.watchlists[0]?.sections?.length).toBe(1)
  await kept.value.close()

  await run.make({ ...levelDraft('101'), repeat: { mode: 'everyCrossing' } })
  await run.watch.open('Alerts')
  await page.getByRole('row', { name: /101/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to the desk' }).click()
  await expect(page.getByRole('region', { name: /^Desk/ })).toContainText('BRTI rises to 101')
  await expect(page.getByRole('region', { name: /^Desk/ })).toContainText('ana')
  expect((await run.state()).alerts).toEqual([])
  await expect.poll(() => engines.map(({ engine }) => engine.count)).toEqual([1, 1])

  cross()
  // The value reaches this seat as well, which does not judge the alert.
  alerts.publish('102.000')
  await run.watch.open('Watchlists')
  await run.watch.expectValue('BRTI', '102.000', '102.000')
  await expect.poll(async () => (await run.inbox()).map(({ desk }) => desk?.watcher)).toEqual(['watch-1'])
  await expect.poll(() => ben.inbox().length).toBe(1)
  const [event] = await run.inbox()
  await expect.poll(async () => (await run.inbox())[0]?.delivery).not.toBe('pending')
  expect(event?.inputs.publishedAtMs).toBe(atMs)

  const forms = secretForms('', password)
  expect(formsIn(Buffer.from(JSON.stringify(await run.state())), forms)).toEqual([])
  expect(formsIn(Buffer.from(run.running.output()), forms)).toEqual([])
  await run.running.quit()
  expect(await filesWith(bench.userData, forms)).toEqual([])
  cross()
  cross()
  await expect.poll(() => ben.inbox().length).toBe(3)

  const back = await alerts.launch(bench)
  // Without a keyring the password was in memory only.
  await back.watch.open('Alerts')
  await expect(back.watch.page.getByText('The password of the desk is missing')).toBeVisible()
  const { desk } = (await back.state()).settings
  expect(desk).toEqual({ address: server.address, name: 'london', user: 'ana' })
  if (desk === undefined) return
  expect(await back.watch.ask('saveDesk', { desk, password })).toEqual({ ok: true, value: null })
  await expect.poll(async () => (await back.inbox()).map(({ desk: by }) => by?.isLate)).toEqual([true, true, false])
  expect((await back.inbox())[0]?.inputs.publishedAtMs).toBe(atMs)

  await back.watch.page.getByRole('button', { name: /^Make mine/ }).click()
  await expect.poll(async () => (await back.state()).alerts.length).toBe(1)
  await expect.poll(() => engines.map(({ engine }) => engine.count)).toEqual([0, 0])
  const link = await DeskLink.open(accessOf('ben', 'change-me-4'), 'check')
  expect(link.ok && (await link.value.kept().all('rule.>'))).toEqual({ ok: true, value: [] })
  if (link.ok) await link.value.close()
  for (const { stop } of [...watchers, ben]) await stop()
  await server.dispose()
})
