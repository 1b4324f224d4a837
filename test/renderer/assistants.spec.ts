import type { ServiceTools } from '../../protocol/desktop'
import { toJson } from '../../protocol/json'
import { cancellable, ok, refused } from '../support/fake-desktop'
import { sampleMethodology, sampleToolResult, sampleTools } from '../support/sample-tools'
import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

test('the tools are listed as the service describes them', async ({ page }) => {
  const snapshot = sampleSnapshot()
  delete snapshot.state.tools
  const fake = await openWindow(page, { view: 'assistants', snapshot })

  await test.step('before the service was asked the page claims nothing', async () => {
    await expect(page.getByText('not been requested yet')).toBeVisible()
  })
  await test.step('the tools are listed as the service describes them', async () => {
    const { tools } = sampleSnapshot().state
    if (tools === undefined) throw new Error('the sample has no tools')
    await fake.push({ state: { tools } })
    await expect(page.getByRole('term')).toHaveText([
      /^get_historical_results\s+Demo$/,
      /^get_index_info/,
      /^get_supplies/,
      /^get_asset_metadata/,
      /^get_factors_data/,
    ])
    await expect(page.getByRole('definition').nth(1)).toHaveText(/calculated\.\s+Answers with its methodology\./)
    await expect(page.getByRole('heading', { name: 'Tools of the provider · 5' })).toBeVisible()
  })
  await test.step('without tools the page says why', async () => {
    for (const [tools, sentence] of [
      [{ state: 'notOffered' }, 'This connection has no tools.'],
      [{ state: 'unreachable', message: 'The MCP address did not answer within 10 s.' }, 'did not answer within 10 s'],
      [{ state: 'listed', tools: [] }, 'The provider lists no tools.'],
    ] satisfies [ServiceTools, string][]) {
      await expect(page.getByText(sentence)).toHaveCount(0)
      await fake.push({ state: { tools } })
      await expect(page.getByText(sentence)).toBeVisible()
      await expect(page.getByRole('term')).toHaveCount(0)
    }
  })
})

test('a tool is filled in, run and shown as a table with its digits', async ({ page }) => {
  const fake = await openWindow(page, { view: 'assistants/get_historical_results/index=BRTI' })
  const form = page.getByRole('form', { name: 'get_historical_results' })
  await expect(form.getByLabel('index')).toHaveValue('BRTI')
  await test.step('what is not typed or cannot be read is said by its field, and nothing is sent', async () => {
    await form.getByLabel('datetime').fill('soon')
    await form.getByRole('button', { name: 'Run' }).click()
    await expect(form.getByText('is not a time')).toBeVisible()
    expect(fake.callsOf('runServiceTool')).toEqual([])
  })
  await test.step('what is typed stays when the tools are listed again', async () => {
    const listed = sampleTools.map((tool) => ({ ...tool, description: `${tool.description} Again.` }))
    await fake.push({ state: { tools: { state: 'listed', tools: listed } } })
    await expect(page.getByText('given times in the past. Again.')).toBeVisible()
    await expect(form.getByLabel('datetime')).toHaveValue('soon')
  })
  await test.step('a refusal of the service stands by the form', async () => {
    fake.handlers.runServiceTool = () => refused('badRequest', 'The provider answered: no.')
    await form.getByLabel('datetime').fill('2026-11-19T16:00:00Z')
    await form.getByRole('button', { name: 'Run' }).click()
    await expect(form.getByRole('alert')).toHaveText('The provider answered: no.')
  })
  await test.step('an answer is a table, with cells as sent and links to indices', async () => {
    fake.handlers.runServiceTool = () => ok(toJson(sampleToolResult))
    await form.getByRole('button', { name: 'Run' }).click()
    expect(fake.callsOf('runServiceTool').at(-1)).toEqual({
      connectionId: 'demo',
      tool: 'get_historical_results',
      argumentsJson: '{"lookups":[{"index":"BRTI","datetime":"2026-11-19T16:00:00.000Z"}]}',
    })
    const answer = page.getByRole('region', { name: 'Answer of get_historical_results' })
    await expect(answer.getByText('Source: Demo (simulated). Snapshot, not live.')).toBeVisible()
    await expect(answer.getByRole('cell', { name: '91740.10', exact: true })).toBeVisible()
    await expect(answer.getByTitle('1795017600000').first()).toHaveText('18 Nov 16:00:00.000')
    await expect(answer.getByRole('link', { name: 'BRTI' }).first()).toHaveAttribute('href', '#index/BRTI')
  })
  await test.step('what has times is drawn, a line for each index, and read by key', async () => {
    const figure = page.getByRole('figure', { name: 'value over time' })
    await expect(figure).toContainText('BRTI 92,418.30')
    await expect(figure).toContainText('BRR 92,409.95')
    await figure.getByRole('slider').focus()
    await page.keyboard.press('Home')
    await expect(figure).toContainText('BRTI 90,511.48')
    await expect(figure.getByRole('slider')).toHaveAttribute('aria-valuetext', /BRTI 90,511\.48; BRR 90,498\.11$/)
  })
  await test.step('a table is exported', async () => {
    fake.handlers.saveServiceToolTable = () => ok({ fileName: 'results.csv' })
    await page.getByRole('button', { name: 'Export…' }).click()
    await page
      .getByRole('dialog', { name: /^Export / })
      .getByRole('button', { name: 'Export…' })
      .click()
    expect(fake.callsOf('saveServiceToolTable')).toEqual([{ callId: 'c1', table: 0 }])
    await expect(page.getByText('Saved as results.csv').first()).toBeVisible()
  })
  await test.step('the call is listed and fills its arguments in again', async () => {
    await fake.push({ state: { toolCalls: [sampleToolResult.call] } })
    const calls = page.getByRole('table', { name: 'Your calls of tools' })
    await expect(calls.getByRole('row').nth(1)).toContainText('42 ms')
    await form.getByLabel('index').fill('X')
    await calls.getByRole('button').click()
    await expect(form.getByLabel('index')).toHaveValue('BRTI')
  })
})

test('an unknown tool takes JSON, shows its progress and can be cancelled', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view: 'assistants' })
  const [first] = sampleTools
  if (first === undefined) throw new Error('the sample has no tools')
  const { fields, ...unknown } = { ...first, name: 'odd_tool', description: 'Takes anything.' }
  await fake.push({ state: { tools: { state: 'listed', tools: [unknown] } } })
  await page.getByRole('button', { name: 'odd_tool' }).click()
  const form = page.getByRole('form', { name: 'odd_tool' })
  const running = cancellable()
  fake.handlers.runServiceTool = async () => {
    await running.run()
    return refused('cancelled', 'The call was cancelled.')
  }
  fake.handlers.cancelServiceTool = running.cancel
  await form.getByLabel('arguments (optional)').fill('{"asset":')
  await form.getByRole('button', { name: 'Run' }).click()
  await expect(form.getByText('This is not JSON.')).toBeVisible()
  expect(fake.callsOf('runServiceTool')).toEqual([])
  await form.getByLabel('arguments (optional)').fill('{"asset":"BTC"}')
  await form.getByRole('button', { name: 'Run' }).click()
  const call = {
    ...sampleToolResult.call,
    tool: 'odd_tool',
    state: 'running' as const,
    progress: { done: 1, total: 4 },
  }
  await fake.push({ state: { toolCalls: [call] } })
  await expect(form.getByRole('status')).toHaveText('Running: 1 of 4')
  await expect(form.getByRole('button', { name: 'Run' })).toBeDisabled()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form.getByRole('alert')).toHaveText('The call was cancelled.')
  expect(fields).toBeDefined()
})

test('an index page and its constituents link to the tools about them', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view: 'index/NCI' })
  const about = page.getByRole('link', { name: 'About BTC' })
  await expect(about).toHaveAttribute('href', '#assistants/get_asset_metadata/asset=BTC')
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'History of NCI' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Look up values at the provider')
  await expect(page.getByRole('form', { name: 'get_historical_results' }).getByLabel('index')).toHaveValue('NCI')
  await page.goto('/#index/NCI')
  await page.goto(`/#index/${encodeURIComponent('BRTI − BRR')}`)
  await page.getByRole('button', { name: 'History of BRTI − BRR' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Value at…', 'Export values…'])
  await page.keyboard.press('Escape')
  await fake.push({ state: { tools: { state: 'notOffered' } } })
  await page.goto('/#index/NCI')
  await expect(page.getByRole('button', { name: 'History of NCI' })).toBeVisible()
  await expect(about).toHaveCount(0)
})

test('the methodology of an index is read over its page, without leaving it', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view: 'index/NCI' })
  const choose = async () => {
    await page.getByRole('button', { name: 'History of NCI' }).click()
    await page.getByRole('menuitem', { name: 'Methodology' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Methodology of NCI' })

  await test.step('it is asked for once, and a long text is read as one, above the facts', async () => {
    fake.handlers.runServiceTool = () => ok(toJson(sampleMethodology))
    await choose()
    const answer = dialog.getByRole('region', { name: 'Answer of get_index_info' })
    await expect(answer.getByRole('heading', { name: 'methodology' })).toBeVisible()
    await expect(answer.getByText('Sum of the constituents’ prices times their units')).toBeVisible()
    await expect(answer.getByRole('definition')).toHaveText(['NCI', 'Nasdaq Crypto Index', '2'])
    await expect(answer.getByText('Source: Demo (simulated). Snapshot, not live.')).toBeVisible()
    expect(fake.callsOf('runServiceTool')).toEqual([
      { connectionId: 'demo', tool: 'get_index_info', argumentsJson: '{"index":"NCI"}' },
    ])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('heading', { name: 'NCI', exact: true })).toBeVisible()
    expect(fake.callsOf('cancelServiceTool')).toEqual([])
  })
  await test.step('an id in it leads to that index', async () => {
    const { call, answer } = sampleMethodology
    const related = { call, answer: { ...answer, data: { related: 'A', id: 'BRTI' } } }
    fake.handlers.runServiceTool = () => ok(toJson(related))
    await choose()
    await dialog.getByRole('link', { name: 'BRTI' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'History of BRTI' })).toBeVisible()
    await page.goto('/#index/NCI')
  })
  await test.step('a refusal stands there in plain words', async () => {
    fake.handlers.runServiceTool = () => refused('badRequest', 'The provider answered: no.')
    await choose()
    await expect(dialog.getByRole('alert')).toHaveText('The provider answered: no.')
    await page.keyboard.press('Escape')
  })
  await test.step('closed before there is an answer it is cancelled', async () => {
    const running = cancellable()
    fake.handlers.runServiceTool = async () => {
      await running.run()
      return refused('cancelled', 'The call was cancelled.')
    }
    fake.handlers.cancelServiceTool = running.cancel
    await choose()
    await expect(dialog.getByRole('status')).toHaveText('Asking Demo…')
    await page.keyboard.press('Escape')
    await expect.poll(() => fake.callsOf('cancelServiceTool')).toHaveLength(1)
  })
  await test.step('a tool that has to know more is opened with its form', async () => {
    const more = { name: 'language', description: '', isRequired: true, kind: 'text' } as const
    const listed = sampleTools.map((tool) => ({ ...tool, fields: [...(tool.fields ?? []), more] }))
    await fake.push({ state: { tools: { state: 'listed', tools: listed } } })
    await choose()
    await expect(page.getByRole('form', { name: 'get_index_info' }).getByLabel('index')).toHaveValue('NCI')
  })
})
