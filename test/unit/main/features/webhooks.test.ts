import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { SavedWebhook } from '../../../../core/model'
import { savedWebhookAddress } from '../../../../core/webhook-services'
import { redactor } from '../../../../main/base/log'
import { createWebhooks } from '../../../../main/features/webhooks'
import { eventually } from '../../../support/eventually'
import { featureCore } from '../../../support/feature-core'
import { listenInTest } from '../../../support/local-server'
import { memorySecrets } from '../../../support/memory-encryption'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

/** A server that answers in turn, and records bodies and paths. */
async function serve(answers: [number, string][] = []) {
  const received: { path: string; body: Record<string, unknown>; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (data: Buffer) => (text += data.toString()))
    request.on('end', () => {
      const key = request.headers['x-key']
      received.push({
        path: request.url ?? '',
        body: JSON.parse(text) as Record<string, unknown>,
        key: key?.toString(),
      })
      const [status, said] = answers[received.length - 1] ?? [200, 'ok']
      response.writeHead(status).end(said)
    })
  })
  return { received, host: `127.0.0.1:${await listenInTest(server)}` }
}

function open({ file = new MemoryJsonFile() }: { file?: MemoryJsonFile } = {}) {
  const notices: string[] = []
  const core = { ...featureCore(), hidden: new Set<string>(), notice: (text: string) => void notices.push(text) }
  const results: string[] = []
  const secrets = memorySecrets(core.clock, file)
  const webhooks = createWebhooks(core, { secrets, inbox: () => [] })
  onTestFinished(() => webhooks.sender.dispose())
  const saved = () => core.settings.get().webhooks
  const sendTo = (id: string) =>
    webhooks.sender.send(firedEvent(1, levelDraft()), savedWebhookAddress(id), (each) => results.push(each))
  const faults = () => webhooks.slices[0]?.now().webhookFaults
  return { core, file, notices, results, secrets, webhooks, ...webhooks.commands, saved, sendTo, faults }
}

const slack = { id: 'w1', name: 'Desk', service: 'slack', values: {}, sendsNote: false } as const
const secretPath = '/services/T0AAAA/B0BBBB/verysecretpart'

test('secrets are in the keyring only; the settings have the host and four characters', async () => {
  const { host, received } = await serve()
  const { core, file, saveWebhook, saved, sendTo, results } = open()
  expect(await saveWebhook({ webhook: slack, secrets: { url: `http://${host}${secretPath}` } })).toMatchObject({
    ok: true,
  })
  expect(saved()).toEqual([{ ...slack, host, tails: { url: 'part' } }] satisfies SavedWebhook[])
  await eventually(() => expect(JSON.stringify(file.written.at(-1))).toContain('w1'))
  expect(JSON.stringify(file.written.at(-1))).not.toContain('verysecret')
  sendTo('w1')
  await eventually(() => expect(results).toEqual([`${host} answered 200`]))
  expect(received[0]?.path).toBe(secretPath)
  expect(core.dialogs.askedHosts).toEqual([host])
  for (const text of [`http://${host}${secretPath}`, `POST ${secretPath} failed`, encodeURIComponent(secretPath)]) {
    expect(redactor(() => [...core.hidden])(text)).not.toContain('secretpart')
  }
})

test('a secret that is not entered again stays, also over a restart, and goes to its server only', async () => {
  const { host, received } = await serve()
  const first = open()
  const json = { id: 'w1', name: 'Own', service: 'json', values: {}, sendsNote: false } as const
  const secrets = { url: `http://${host}/hook`, headers: 'X-Key: topsecret1' }
  await first.saveWebhook({ webhook: json, secrets })
  await eventually(() => expect(JSON.stringify(first.file.written.at(-1))).toContain('w1'))

  const again = open({ file: first.file.reopened() })
  await again.core.settings.set({ webhooks: [...first.saved()] })
  expect(await again.saveWebhook({ webhook: { ...json, name: 'Renamed' }, secrets: {} })).toMatchObject({ ok: true })
  again.sendTo('w1')
  await eventually(() => expect(received.at(-1)?.key).toBe('topsecret1'))
  const other = await serve()
  const elsewhere = { webhook: json, secrets: { url: `http://${other.host}/hook` } }
  for (const refused of [await again.testWebhook(elsewhere), await again.saveWebhook(elsewhere)]) {
    expect(refused).toMatchObject({ ok: false, problem: { code: 'secretMissing' } })
  }
  expect(other.received).toEqual([])
  await again.saveWebhook({ webhook: json, secrets: { headers: '' } })
  again.sendTo('w1')
  await eventually(() => expect(received).toHaveLength(2))
  expect(received[1]?.key).toBeUndefined()
})

test('a changed server of a token needs the token again', async () => {
  const { saveWebhook, testWebhook } = open()
  const webhook = {
    id: 'w1',
    name: 'Bot',
    service: 'telegram',
    values: { server: 'https://api.telegram.org', chatId: '1' },
    sendsNote: false,
  } as const
  await saveWebhook({ webhook, secrets: { token: '12:topsecret' } })
  const moved = { ...webhook, values: { ...webhook.values, server: 'https://evil.example' } }
  expect(await testWebhook({ webhook: moved, secrets: {} })).toMatchObject({ problem: { code: 'secretMissing' } })
})

test('a test says the answer, and where to look if the service shows nothing yet', async () => {
  const { host } = await serve([
    [202, ''],
    [400, 'invalid_payload'],
  ])
  const { testWebhook, saved } = open()
  const teams = { ...slack, service: 'teams' } as const
  const secrets = { url: `http://${host}${secretPath}` }
  expect(await testWebhook({ webhook: teams, secrets })).toEqual({
    ok: true,
    value: { isAccepted: true, words: `${host} answered 202. Accepted; look in the channel` },
  })
  expect(await testWebhook({ webhook: slack, secrets })).toEqual({
    ok: true,
    value: { isAccepted: false, words: `${host} answered 400: invalid_payload` },
  })
  expect(saved()).toEqual([])
})

test('a refused host is sent nothing, and a wrong field or template is named', async () => {
  const { host, received } = await serve()
  const { core, testWebhook, saveWebhook } = open()
  const secrets = { url: `http://${host}${secretPath}` }
  core.dialogs.isHostAllowed = false
  expect(await testWebhook({ webhook: slack, secrets })).toMatchObject({ problem: { code: 'notConfirmed' } })
  expect(received).toEqual([])
  expect(await saveWebhook({ webhook: slack, secrets: {} })).toMatchObject({ problem: { field: 'url' } })
  const webhook = { ...slack, template: '{price}' }
  expect(await saveWebhook({ webhook, secrets })).toMatchObject({ problem: { field: 'template' } })
})

test('a webhook that fails says so once and in its row, until it works again', async () => {
  const { host } = await serve([
    [404, 'no_service'],
    [404, 'no_service'],
    [200, 'ok'],
  ])
  const { core, saveWebhook, sendTo, results, notices, faults } = open()
  await saveWebhook({ webhook: slack, secrets: { url: `http://${host}${secretPath}` } })
  for (const count of [1, 2, 3]) {
    sendTo('w1')
    await eventually(() => expect([results.length, core.clock.pending]).toEqual([count, 1]))
    if (count < 3) expect(faults()).toEqual({ w1: `${host} answered 404: no_service` })
    core.clock.advance(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(faults()).toEqual({})
  expect(notices).toEqual([`The webhook Desk fails: ${host} answered 404: no_service. Alerts stay in the inbox.`])
})

test('a group that became a supergroup keeps its new chat id', async () => {
  const moved = { ok: false, error_code: 400, description: 'upgraded', parameters: { migrate_to_chat_id: -1009 } }
  const { host, received } = await serve([
    [400, JSON.stringify(moved)],
    [200, '{"ok":true}'],
  ])
  const { saveWebhook, sendTo, saved, results } = open()
  const values = { server: `http://${host}`, chatId: '-9' }
  await saveWebhook({ webhook: { ...slack, service: 'telegram', values }, secrets: { token: '12:topsecret' } })
  sendTo('w1')
  await eventually(() => expect(results).toEqual([`${host} answered 200`]))
  expect(received.map(({ body }) => body['chat_id'])).toEqual(['-9', '-1009'])
  expect(saved()[0]?.values['chatId']).toBe('-1009')
})

test('a removed webhook is forgotten, and its alerts say that it is not set up', async () => {
  const { host } = await serve()
  const { file, saveWebhook, removeWebhook, sendTo, results, saved } = open()
  await saveWebhook({ webhook: slack, secrets: { url: `http://${host}${secretPath}` } })
  await eventually(() => expect(JSON.stringify(file.written.at(-1))).toContain('w1'))
  await removeWebhook({ webhookId: 'w1' })
  expect(saved()).toEqual([])
  expect(JSON.stringify(file.written.at(-1))).not.toContain('w1')
  sendTo('w1')
  await eventually(() =>
    expect(results).toEqual(['Not sent: This webhook is not set up here. Choose another one in the alert.']),
  )
})
