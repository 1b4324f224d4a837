import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { filesWith, formsIn, secretForms } from '../support/secret-scan'

/** Slack's incoming webhooks, as documented: plain texts, and 200 for nothing but a text. */
async function openSlack() {
  const posts: { path: string; body: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (data: Buffer) => (text += data.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>
      posts.push({ path: request.url ?? '', body })
      const hasForm = typeof body['text'] === 'string' && Object.keys(body).length === 1
      response.writeHead(hasForm ? 200 : 400, { 'Content-Type': 'text/html' }).end(hasForm ? 'ok' : 'no_text')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    await new Promise((resolve) => server.close(resolve))
  }
  return { posts, host, close }
}

test('an alert arrives in Slack’s form, and its secret is in no file and no log', async ({ bench, alerts, run }) => {
  const slack = await openSlack()
  const token = 'Zq8vKx2mPw7tRb4n'
  const path = `/services/T0AB12/B0CD34/${token}`
  const { page } = run.watch
  await run.watch.open('Settings')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add webhook' })
  await dialog.getByLabel('Webhook URL').fill(`http://${slack.host}${path}`)
  await dialog.getByLabel('Name', { exact: true }).fill('Desk channel')

  await test.step('the answer to a wrong form is said in its own words', async () => {
    await dialog.getByLabel('Service', { exact: true }).selectOption('Discord')
    await dialog.getByRole('button', { name: 'Send test' }).click()
    await expect(dialog.getByRole('status')).toHaveText(`${slack.host} answered 400: no_text`)
    await dialog.getByLabel('Service', { exact: true }).selectOption('Slack')
    await dialog.getByRole('button', { name: 'Send test' }).click()
    await expect(dialog.getByRole('status')).toHaveText(`${slack.host} answered 200`)
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog).toHaveCount(0)
  })

  const row = page.getByRole('listitem', { name: 'Desk channel' })
  await expect(row).toContainText(`Slack · ${slack.host} …${token.slice(-4)}`)
  // Without a keyring the secret is in memory only, and the row says so.
  await expect(row).toContainText('The secret is kept until Indexwatch quits.')
  const [webhook] = (await run.state()).settings.webhooks
  await run.make({ ...levelDraft('110'), note: 'My own words', webhookUrl: `webhook:${webhook?.id ?? ''}` })
  alerts.publish('110.120')
  await expect.poll(() => slack.posts.length).toBe(3)
  expect(slack.posts[2]).toEqual({
    path,
    body: { text: expect.stringMatching(/^BRTI rose to 110\.120 \(level 110\)\nValue: 110\.120\nPublished: 20\S+Z$/) },
  })
  await expect.poll(async () => (await run.inbox())[0]?.webhookResult).toBe(`${slack.host} answered 200`)

  await test.step('a webhook that no longer answers is repeated, and says so', async () => {
    await slack.close()
    await run.make({ ...levelDraft('120'), webhookUrl: `webhook:${webhook?.id ?? ''}` })
    alerts.publish('120.00')
    await expect
      .poll(async () => (await run.inbox())[0]?.webhookResult)
      .toContain('could not be reached. Next attempt in')
  })

  const forms = [...secretForms('', token), path]
  expect(formsIn(Buffer.from(JSON.stringify(await run.state())), forms)).toEqual([])
  expect(formsIn(Buffer.from(run.running.output()), forms)).toEqual([])
  await run.running.quit()
  expect(await readFile(join(bench.userData, 'settings.json'), 'utf8')).toContain('Desk channel')
  expect(await filesWith(bench.userData, forms)).toEqual([])
  // The control: the search finds a secret planted in a file.
  const planted = join(bench.userData, 'planted')
  await writeFile(planted, `x${token}y`)
  expect(await filesWith(bench.userData, forms)).toEqual([planted])
})
