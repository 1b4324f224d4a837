import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { freeLoopbackPort } from '../../main/loopback/loopback-server'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { secretForms } from '../support/secret-scan'

test('an assistant reads the very text that the window shows, proposes an alert that the user saves, and is ended by one switch', async ({
  bench,
  service,
  run: { watch },
}) => {
  const set = await watch.ask('getAssistantSetup', {})
  if (!set.ok) throw new Error(set.problem.message)
  const client = new Client({ name: 'tester', version: '9' })
  const env = bench.environment()
  await client.connect(new StdioClientTransport({ ...set.value, env, stderr: 'ignore' }))
  const answers: string[] = []
  const ask = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await client.callTool({ name, arguments: args })
    const [first] = answer.content as { text: string }[]
    answers.push(first?.text ?? '')
    return { isError: answer.isError === true, text: first?.text ?? '' }
  }

  await test.step('off until switched on', async () => {
    expect(await ask('get_latest_values', { ids: ['BRTI'] })).toMatchObject({ isError: true })
    await watch.ask('setPreferences', { allowsAssistants: true })
  })
  await test.step('the value is the text that the window has', async () => {
    await expect.poll(async () => (await ask('get_latest_values', { ids: ['BRTI'] })).text).toContain('the running app')
    const shown = await watch.value('BRTI').getAttribute('data-value')
    const { text } = await ask('get_latest_values', { ids: ['BRTI'] })
    expect(JSON.parse(text)).toMatchObject({ values: [{ id: 'BRTI', value: shown, source: 'stream' }] })
  })
  await test.step('a proposal is shown, and the alert exists once it is saved', async () => {
    const { indexId, terms } = levelDraft('123.00')
    expect((await ask('propose_alert', { indexId, terms })).isError).toBe(false)
    const banner = watch.page.getByRole('region', { name: 'Proposed alert' })
    await expect(banner).toContainText('tester 9 proposes an alert')
    expect((await watch.snapshot()).state.alerts).toEqual([])
    await banner.getByRole('button', { name: 'Review…' }).click()
    await watch.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(banner).toHaveCount(0)
    expect((await watch.snapshot()).state.alerts).toMatchObject([{ indexId, terms }])
    expect((await ask('list_alerts')).text).toContain('"state":"accepted"')
  })
  await test.step('the window lists the calls, and the key is in no answer', async () => {
    const { calls } = (await watch.snapshot()).state.assistants
    expect(calls.map(({ client: who, tool }) => `${who} ${tool}`)).toContain('tester 9 propose_alert')
    const { keyId, keySecret } = addressOf(service)
    const seen = JSON.stringify([answers, calls])
    expect(secretForms(keyId, keySecret).filter((form) => seen.includes(form))).toEqual([])
  })
  await test.step('a spreadsheet gets the same text, by a token that is kept nowhere', async () => {
    const port = (await freeLoopbackPort()) ?? 0
    const address = `http://127.0.0.1:${port}/latest.csv`
    await expect(fetch(address)).rejects.toThrow()
    await watch.ask('setPreferences', { allowsSpreadsheets: true, spreadsheetPort: port })
    const made = await watch.ask('makeSpreadsheetToken', {})
    if (!made.ok) throw new Error(made.problem.message)
    const { token } = made.value
    const shown = (await watch.value('BRTI').getAttribute('data-value')) ?? ''
    await expect
      .poll(async () => (await fetch(`${address}?token=${token}`)).text())
      .toMatch(new RegExp(`^BRTI,.*,${shown},`, 'm'))
    const history = `http://127.0.0.1:${port}/history.csv?ids=BRTI&from=2020-01-01&token=${token}`
    expect(await (await fetch(history)).text()).toContain(`,${shown},`)
    expect((await fetch(address)).status).toBe(401)
    const { keyId, keySecret } = addressOf(service)
    const seen = JSON.stringify([await (await fetch(`${address}?token=${token}`)).text(), await watch.snapshot()])
    expect([...secretForms(keyId, keySecret), token].filter((form) => seen.includes(form))).toEqual([])
    await watch.ask('setPreferences', { allowsSpreadsheets: false })
    await expect
      .poll(() =>
        fetch(address).then(
          () => 'answered',
          () => 'nobody',
        ),
      )
      .toBe('nobody')
  })
  await test.step('the switch ends it', async () => {
    await watch.ask('setPreferences', { allowsAssistants: false })
    expect(await ask('list_watchlists')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/turned off/),
    })
  })
  await client.close()
})
