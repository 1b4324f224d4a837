import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ElectronApplication } from '@playwright/test'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'

// The tests measure delays, so Chromium runs without the switches for brief tests.
test.use({ isBrief: false })

/** Starts to measure delays of the main process's event loop. The returned function gives the longest so far, in ms. */
async function watchMain(app: ElectronApplication): Promise<() => Promise<number>> {
  await app.evaluate(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks')
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    Object.assign(globalThis, { delays })
  })
  return () => app.evaluate(() => (globalThis as unknown as { delays: { max: number } }).delays.max / 1e6)
}

/** A local webhook and the bodies posted to it. */
async function openHook(): Promise<{ url: string; posts: string[]; close: () => Promise<void> }> {
  const posts: string[] = []
  const server = createServer((request, response) => {
    request.on('data', (data: Buffer) => posts.push((JSON.parse(data.toString()) as { text: string }).text))
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const close = async () => {
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, posts, close }
}

test('a notification daemon that hangs blocks nothing, and shows the alerts once it answers', async ({
  bench,
  alerts,
  run,
}) => {
  const [own, second] = [await openHook(), await openHook()]
  await run.watch.ask('setPreferences', { secondChannel: 'webhook', secondWebhook: second.url })
  alerts.publish('3000.00', 'BRR')
  await run.make(levelDraft('110'))
  await run.make({ ...levelDraft('3050', { indexId: 'BRR' }), severity: 'urgent', webhookUrl: own.url })
  bench.peer.setDaemon('hangs')
  const longestMs = await watchMain(run.running.app)

  alerts.publish('110.00')
  await expect.poll(() => run.deliveries()).toEqual(['unanswered'])
  const publishedMs = performance.now()
  alerts.publish('3050.06', 'BRR')
  await expect.poll(() => own.posts, { intervals: [5] }).toEqual([expect.stringContaining('3,050.06')])
  const webhookMs = performance.now() - publishedMs
  await expect.poll(() => second.posts, { intervals: [5] }).toEqual([expect.stringContaining('3,050.06')])
  const secondMs = performance.now() - publishedMs
  await expect.poll(() => run.deliveries()).toEqual(['unanswered', 'unanswered'])
  alerts.publish('111.00')
  await run.watch.expectValue('BRTI', '111.00', '111.00')
  const notice = run.watch.page.getByRole('region', { name: /could not be shown on the desktop/ })
  await expect(notice).toContainText('Not shown: the desktop did not answer. See the inbox.')
  await run.watch.open('Alerts')
  await expect(run.watch.page.getByText('not shown: the desktop did not answer').first()).toBeVisible()
  console.log(
    `longest block of main ${(await longestMs()).toFixed(1)} ms; webhook after ${webhookMs.toFixed(0)} ms, ` +
      `second channel after ${secondMs.toFixed(0)} ms`,
  )

  bench.peer.setDaemon('atOnce')
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 110.00 (level 110)')
  expect((await bench.peer.nextNotification()).summary).toBe('BRR rose to 3,050.06 (level 3,050)')
  await expect.poll(() => run.deliveries()).toEqual(['shown', 'shown'])
  expect([own.posts.length, second.posts.length]).toEqual([1, 1])
  await Promise.all([own.close(), second.close()])
})

test('a daemon that answers late, dies or is replaced shows each alert once', async ({ bench, alerts, run }) => {
  for (const level of ['110', '120', '130', '140']) await run.make(levelDraft(level))
  bench.peer.setDaemon({ afterMs: 4_000 })
  const longestMs = await watchMain(run.running.app)
  alerts.publish('110.00')
  await expect.poll(() => run.deliveries()).toEqual(['unanswered'])
  await expect.poll(() => run.deliveries(), { timeout: 60_000 }).toEqual(['shown'])

  bench.peer.setDaemon('hangs')
  alerts.publish('120.00')
  await expect.poll(() => run.deliveries()).toEqual(['unanswered', 'shown'])
  bench.peer.stopDaemon()
  alerts.publish('130.00')
  await expect.poll(() => run.deliveries()).toEqual(['failed', 'unanswered', 'shown'])
  await bench.peer.startDaemon()
  await expect.poll(() => run.deliveries()).toEqual(['shown', 'shown', 'shown'])

  bench.peer.setDaemon('hangs')
  alerts.publish('140.00')
  await expect.poll(() => run.deliveries()).toEqual(['unanswered', 'shown', 'shown', 'shown'])
  await bench.peer.startDaemon()
  await expect.poll(() => run.deliveries()).toEqual(['shown', 'shown', 'shown', 'shown'])
  console.log(`longest block of main ${(await longestMs()).toFixed(1)} ms`)
})
