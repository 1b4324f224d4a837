import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { freeLoopbackPort } from '../../main/access/loopback-server'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { filesWith, secretForms } from '../support/secret-scan'

test(
  'an assistant reads what the window shows and proposes an alert that the user saves',
  { tag: '@deep' },
  async ({ alerts, bench, service, run }) => {
    const { watch } = run
    const set = await watch.ask('getAssistantSetup', {})
    if (!set.ok) throw new Error(set.problem.message)
    const client = new Client({ name: 'tester', version: '9' })
    const env = bench.environment()
    await client.connect(new StdioClientTransport({ ...set.value, env, stderr: 'ignore' }))
    const answers: string[] = []
    // A line on stdout that is no MCP is one.
    const faults: unknown[] = []
    client.onerror = (error) => faults.push(error)
    const { keyId, keySecret } = addressOf(service)
    const hidden = secretForms(keyId, keySecret)
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
      await expect
        .poll(async () => (await ask('get_latest_values', { ids: ['BRTI'] })).text)
        .toContain('the running app')
      const shown = await watch.value('BRTI').getAttribute('data-value')
      const { text } = await ask('get_latest_values', { ids: ['BRTI'] })
      expect(JSON.parse(text)).toMatchObject({ values: [{ id: 'BRTI', value: shown, source: 'stream' }] })
    })
    await test.step('who subscribed to a list hears of a new value, and reads it there', async () => {
      const heard: string[] = []
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params: { uri } }) => void heard.push(uri))
      const { resources } = await client.listResources()
      const uri = resources[0]?.uri ?? ''
      await client.subscribeResource({ uri })
      await expect
        .poll(() => {
          alerts.publish('100.500')
          return heard
        })
        .toContain(uri)
      const read = JSON.stringify(await client.readResource({ uri }))
      answers.push(read)
      expect(read).toContain(String.raw`\"value\":\"100.500\"`)
      await client.unsubscribeResource({ uri })
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
      alerts.publish('123.40')
      await expect.poll(async () => (await run.inbox()).map(({ kind }) => kind)).toEqual(['fired'])
      expect(JSON.parse((await ask('get_alert_events')).text)).toMatchObject({
        events: [{ kind: 'fired', id: 'BRTI', value: '123.40' }],
      })
    })
    await test.step('the window lists the calls, and the key is in no answer', async () => {
      const { calls } = (await watch.snapshot()).state.assistants
      expect(calls.map(({ client: who, tool }) => `${who} ${tool}`)).toContain('tester 9 propose_alert')
      expect(hidden.filter((form) => JSON.stringify([answers, calls]).includes(form))).toEqual([])
    })
    await test.step('a spreadsheet gets the same text, by a token that is kept nowhere', async () => {
      const port = (await freeLoopbackPort()) ?? 0
      const address = `http://127.0.0.1:${port}/latest.csv`
      await expect(fetch(address)).rejects.toThrow()
      await watch.ask('setPreferences', { allowsSpreadsheets: true, spreadsheetPort: port })
      const made = await watch.ask('makeSpreadsheetToken', {})
      if (!made.ok) throw new Error(made.problem.message)
      const { token } = made.value
      hidden.push(token)
      const shown = (await watch.value('BRTI').getAttribute('data-value')) ?? ''
      await expect
        .poll(async () => (await fetch(`${address}?token=${token}`)).text())
        .toMatch(new RegExp(`^BRTI,.*,${shown},`, 'm'))
      const history = `http://127.0.0.1:${port}/history.csv?ids=BRTI&from=2020-01-01&token=${token}`
      expect(await (await fetch(history)).text()).toContain(`,${shown},`)
      expect((await fetch(address)).status).toBe(401)
      const seen = JSON.stringify([await (await fetch(`${address}?token=${token}`)).text(), await watch.snapshot()])
      expect(hidden.filter((form) => seen.includes(form))).toEqual([])
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
    await test.step('a key or token that an assistant was given is in no proposal and no list of calls', async () => {
      const note = `for ${hidden.join(' ')}`
      expect((await ask('propose_alert', { indexId: 'BRTI', terms: levelDraft('9').terms, note })).isError).toBe(false)
      await ask('find_indices', { text: note.slice(0, 120) })
      const { proposals, calls } = (await watch.snapshot()).state.assistants
      expect(proposals).toMatchObject([{ draft: { note: expect.stringContaining('[removed]') } }])
      const seen = JSON.stringify([proposals, calls])
      expect(hidden.filter((form) => seen.includes(form))).toEqual([])
    })
    await test.step('the switch ends it', async () => {
      await watch.ask('setPreferences', { allowsAssistants: false })
      expect(await ask('list_watchlists')).toMatchObject({
        isError: true,
        text: expect.stringMatching(/turned off/),
      })
    })
    await test.step('while the app is closed the same value comes from the tape, and says so', async () => {
      await watch.ask('setPreferences', { allowsAssistants: true })
      const shown = await watch.value('BRTI').getAttribute('data-value')
      await run.running.quit()
      // A connection from the environment is not kept, and without one the demo service is meant.
      const file = join(bench.userData, 'settings.json')
      const settings = JSON.parse(readFileSync(file, 'utf8')) as object
      const { ws: webSocketUrl } = addressOf(service)
      const profile = { id: 'kept', name: 'Kept', auth: 'basic', isEnabled: true, webSocketUrl, keyId }
      writeFileSync(file, JSON.stringify({ ...settings, profiles: [profile] }))
      const { isError, text } = await ask('get_latest_values', { ids: ['BRTI'] })
      expect({ isError, text }).toMatchObject({ isError: false })
      expect(JSON.parse(text)).toMatchObject({
        answeredBy: 'the history on this computer',
        values: [{ id: 'BRTI', value: shown, source: 'history' }],
      })
      expect((await ask('propose_alert', { indexId: 'BRTI', terms: levelDraft('1').terms })).text).toContain(
        'not running',
      )
    })
    await client.close()
    expect(faults).toEqual([])
    expect(hidden.filter((form) => `${answers.join(' ')} ${run.running.output()}`.includes(form))).toEqual([])
    expect(await filesWith(bench.userData, hidden)).toEqual([])
  },
)
