import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { commandNames } from '../../protocol/commands/contract'
import { attack } from '../support/attack'
import { connectionVariables } from '../support/app-bench'
import { expect, test as base } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { filesWith, formsIn, secretForms } from '../support/secret-scan'

interface Outside {
  url: string
  /** The requested paths. */
  hits: string[]
}

const test = base.extend<{ outside: Outside }>({
  /** A server that the page must not reach. */
  outside: async ({}, use) => {
    const hits: string[] = []
    const server = createServer((request, response) => {
      hits.push(request.url ?? '')
      response.setHeader('Access-Control-Allow-Origin', '*')
      response.end('outside')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, hits })
    server.closeAllConnections()
    server.close()
  },
})

test('a script in the page runs no text as code, reaches no server and cannot navigate', async ({
  bench,
  service,
  outside,
}) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  const url = watch.page.url()

  await test.step('the page has no Node, and only the named functions of the app', async () => {
    const seen = await watch.page.evaluate(() => {
      const page = globalThis as unknown as Record<string, unknown>
      const names = [
        'require',
        'process',
        'Buffer',
        'module',
        'exports',
        'ipcRenderer',
        'electron',
        '__dirname',
        'global',
      ]
      return { found: names.filter((name) => name in page), api: Object.keys(page['indexwatch'] as object) }
    })
    expect(seen.found).toEqual([])
    expect(seen.api.sort()).toEqual([...commandNames, 'onUpdate'].sort())
  })

  await test.step('the window is sandboxed and isolated', async () => {
    const preferences = await running.app.evaluate(({ BrowserWindow }) => {
      // Electron has this function but does not declare it.
      interface Preferential {
        getLastWebPreferences: () => Record<string, unknown>
      }
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as Preferential | undefined
      const all = contents?.getLastWebPreferences() ?? {}
      const asked = ['sandbox', 'contextIsolation', 'nodeIntegration', 'webSecurity', 'webviewTag']
      return Object.fromEntries(asked.map((name) => [name, all[name]]))
    })
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    })
  })

  await test.step('the page gets no permission', async () => {
    const answers = await watch.page.evaluate(async () => {
      const location = new Promise<string>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          ({ code }) => resolve(`refused ${code}`),
        ),
      )
      const clipboard = navigator.clipboard.readText().then(
        () => 'granted',
        (error: unknown) => (error as Error).name,
      )
      return [await Notification.requestPermission(), await location, await clipboard]
    })
    expect(answers).toEqual(['denied', 'refused 1', 'NotAllowedError'])
  })

  await test.step('app: serves only the known files of the page', async () => {
    const ask = (url: string) => running.app.evaluate(async ({ net }, target) => (await net.fetch(target)).status, url)
    expect(await ask('app://indexwatch/index.html')).toBe(200)
    for (const path of [
      '',
      'package.json',
      '../main/index.js',
      '%2e%2e/main/index.js',
      '..%2fmain%2findex.js',
      'index.html%00',
    ]) {
      expect(await ask(`app://indexwatch/${path}`)).toBe(404)
    }
    expect(await ask('app://elsewhere/index.html')).toBe(404)
  })

  await test.step('it runs no text as code and reaches no server', async () => {
    expect(await attack(watch.page, outside.url)).toEqual([])
    expect(outside.hits).toEqual([])
    expect(watch.page.url()).toBe(url)
    expect(running.app.windows()).toHaveLength(1)
  })

  await test.step('it cannot navigate', async () => {
    for (const address of [outside.url, 'file:///etc/passwd', 'app://indexwatch/other.html', 'data:text/html,hello']) {
      await watch.page.evaluate((target) => {
        location.href = target
      }, address)
      await watch.page.waitForTimeout(100)
      expect(watch.page.url()).toBe(url)
    }
    expect(outside.hits).toEqual([])
    expect(await watch.page.content()).toContain('data-index="BRTI"')
    // The control: the server answers, and an unprotected page reaches it.
    await running.app.evaluate(async (_electron, address) => {
      await fetch(`${address}control`)
    }, outside.url)
    expect(outside.hits).toEqual(['/control'])
  })

  await test.step('another page with the same preload, and a frame in the page, may call nothing', async () => {
    const opened = running.app.waitForEvent('window')
    await running.app.evaluate(({ BrowserWindow, app }) => {
      const preload = `${app.getAppPath()}/out/preload/index.cjs`
      const stranger = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
      void stranger.loadURL('data:text/html,stranger')
    })
    const stranger = await opened
    await stranger.waitForLoadState()
    const ask = (page: Page) =>
      page.evaluate(() => {
        const { indexwatch } = globalThis as unknown as {
          indexwatch: { getSnapshot: (args: object) => Promise<unknown> }
        }
        return indexwatch.getSnapshot({})
      })
    expect(await ask(stranger)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    expect(await ask(watch.page)).toMatchObject({ ok: true })
    const inFrame = await watch.page.evaluate(() => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      return frame.contentWindow === null || 'indexwatch' in frame.contentWindow
    })
    expect(inFrame).toBe(false)
  })
})

test('TLS checks cannot be turned off, and only the main process has the secret of the key', async ({
  bench,
  service,
}) => {
  const running = await bench.launch([], {
    ...connectionVariables(addressOf(service)),
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  })
  const watch = await running.watch()
  await watch.expectState('Live')
  const checks = () => running.app.evaluate(() => process.env['NODE_TLS_REJECT_UNAUTHORIZED'] ?? 'gone')
  expect(await checks()).toBe('gone')
  const { keyId, keySecret } = addressOf(service)
  const forms = secretForms(keyId, keySecret)
  // A service that echoes the key.
  service.send({ type: 'subscribe', stream: 'value', id: 'BRTI', success: false, reason: `bad key ${keySecret}` })
  await expect(watch.row('BRTI')).toContainText('bad key')
  // The control: the search must find another secret, planted in the heap.
  const planted = 'planted-canary-5b2e'
  await watch.page.evaluate((secret) => {
    Object.assign(globalThis, { planted: `a${secret}` })
  }, planted)
  const heap = async () => {
    const session = await watch.page.context().newCDPSession(watch.page)
    const chunks: string[] = []
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
    await session.send('HeapProfiler.takeHeapSnapshot')
    await session.detach()
    return Buffer.from(chunks.join(''))
  }
  expect(formsIn(await heap(), [...forms, planted])).toEqual([planted])
  expect(formsIn(Buffer.from(await watch.page.content()), forms)).toEqual([])
  expect(formsIn(Buffer.from(running.output()), forms)).toEqual([])

  // A secret saved with a connection goes to the keyring. Here there is none, so it is not stored.
  const mine = { id: 'mine', name: 'Mine', auth: 'basic', isEnabled: true } as const
  const profile = { ...mine, webSocketUrl: service.webSocketUrl, keyId }
  expect(await watch.ask('saveProfile', { profile, keySecret })).toMatchObject({ value: { kept: 'session' } })
  // The history stores alerts.
  const draft = { ...levelDraft('110'), webhookUrl: 'https://127.0.0.1:1/hook' }
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - 60_000
  service.sendValue('BRTI', '100.00', startMs)
  await watch.expectValue('BRTI', '100.00', '100.00')
  expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'wait' })).toMatchObject({ ok: true })
  service.sendValue('BRTI', '110.00', startMs + 1_000)
  const inbox = async () => JSON.stringify(await watch.ask('getInbox', { query: {} }))
  await expect.poll(inbox).toContain('could not be reached')
  await running.quit()
  expect(await readFile(join(bench.userData, 'tape.db'), 'latin1')).toContain('could not be reached')
  expect(await filesWith(bench.userData, forms)).toEqual([])
  // The control: the search finds each form of a secret planted in a file.
  const file = join(bench.userData, 'planted')
  for (const form of forms) {
    await writeFile(file, `x${form}y`)
    expect(await filesWith(bench.userData, forms)).toEqual([file])
  }
})
