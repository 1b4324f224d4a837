import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
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
    // A line on stdout that is not MCP is an error.
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
    await test.step('the value is the same text as in the window', async () => {
      await expect
        .poll(async () => (await ask('get_latest_values', { ids: ['BRTI'] })).text)
        .toContain('the running app')
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
    await client.close()
    expect(faults).toEqual([])
    expect(hidden.filter((form) => `${answers.join(' ')} ${run.running.output()}`.includes(form))).toEqual([])
    expect(await filesWith(bench.userData, hidden)).toEqual([])
  },
)
