import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer, connect } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { redactor } from '../../main/base/log'
import { SystemClock } from '../../main/base/clock'
import type { ExportTask } from '../../main/history/export-file'
import { Exporter } from '../../main/history/exporter'
import { freeLoopbackPort } from '../../main/access/loopback-server'
import { UnfinishedFiles } from '../../main/storage/unfinished-files'
import { SpreadsheetAccess } from '../../main/access/spreadsheet-access'
import type { TableData } from '../../main/access/spreadsheet-tables'
import type { IndexId, Watchlist } from '../../core/model'
import { childProgram } from '../support/child-programs'
import { FakeClock } from '../support/fake-clock'
import { listenInTest } from '../support/local-server'
import { openHistory } from '../support/open-history'
import { historyStartMs, storedValue } from '../support/history-thread'
import { temporaryFolder } from '../support/temporary-folder'

const canary = 'spreadsheet-canary-71c2'
const manyDigits = '123456789012345678.901234567890123456700'
const list = (name: string, ...ids: IndexId[]): Watchlist => ({
  id: name,
  name,
  entries: ids.map((id) => ({ id, maxResolution: 'PER_SECOND' })),
})

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
}

/** The tables of a running app, and how programs ask for them. */
async function open(more: Partial<TableData> = {}) {
  const clock = new FakeClock()
  const data: TableData = {
    isDemo: false,
    nowMs: historyStartMs + 3_600_000,
    watchlists: [list('Majors', 'BRTI', 'NCI'), list('Others', 'NCI')],
    catalogue: [
      { id: 'BRTI', name: `=cmd|' /C calc'!A0, "real" time`, maxResolution: 'PER_SECOND' },
      { id: 'NCI', name: `A name with ${canary}`, maxResolution: 'PER_SECOND' },
    ],
    latest: (id) =>
      id === 'BRTI'
        ? {
            value: manyDigits,
            publishedAtMs: historyStartMs,
            source: 'stream',
            ageMs: 1_234,
            connection: 'Desk',
            isStale: false,
          }
        : undefined,
    resolutionOf: () => 'PER_SECOND',
    refusal: () => undefined,
    ...more,
  }
  const { history } = await openHistory()
  await history.commit({ values: [storedValue(0, '68123.4500'), storedValue(1, manyDigits)] })
  const folder = temporaryFolder()
  const startThread = (workerData: ExportTask) => new Worker(childProgram('export-worker'), { workerData })
  const exporter = new Exporter({
    clock: new SystemClock(),
    history,
    unfinished: new UnfinishedFiles(temporaryFolder()),
    decimalSign: () => '.',
    startThread,
  })
  const hidden: string[] = [canary]
  const errors: unknown[] = []
  const port = (await freeLoopbackPort()) ?? 0
  const wanted = { allowsSpreadsheets: true, spreadsheetPort: port }
  const kept: { hash?: string } = {}
  const access = new SpreadsheetAccess({
    clock,
    data: () => data,
    history: (request) => exporter.read(request, join(folder, 'spreadsheet.csv')),
    tokenHash: () => kept.hash,
    keepHash: (hash) => {
      kept.hash = hash
      return Promise.resolve()
    },
    hide: (token) => hidden.push(token),
    redact: redactor(() => hidden),
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => {
    access.dispose()
    expect(errors).toEqual([])
  })
  await access.setWanted({ ...wanted })
  const token = await access.makeToken()
  const send = (
    path: string,
    { headers = {}, method = 'GET' }: { headers?: Record<string, string>; method?: string } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const asked = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => (body += text))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      })
      asked.on('error', reject)
      asked.end()
    })
  const get = (path: string) => send(path, { headers: { authorization: `Bearer ${token}` } })
  return { access, clock, wanted, kept, port, token, send, get, folder, hidden }
}

describe('tables for spreadsheets', () => {
  test('the latest values have every digit and their age, and no name runs as a formula', async () => {
    const { get } = await open()
    const { status, headers, body } = await get('/latest.csv')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(body.split('\n')).toEqual([
      'id,name,value,published,amended,isCarriedForward,missing,change,changePercent,baseline,ageMs,isStale,source,connection,frequency,isDemo,problem',
      `BRTI,"'=cmd|' /C calc'!A0, ""real"" time",${manyDigits},${new Date(historyStartMs).toISOString()},,no,,,,,1234,no,stream,Desk,PER_SECOND,no,`,
      'NCI,A name with [removed],,,,,,,,,,,,,PER_SECOND,no,No value received yet.',
      '',
    ])
  })

  test('a list is found by any name, and no name opens a file', async () => {
    const odd = `=cmd,"/..' ü`
    const { get } = await open({ watchlists: [list('majors', 'NCI'), list('Majors', 'BRTI'), list(odd, 'BRTI')] })
    const idsOf = ({ body }: Answer) =>
      body
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0])
    expect(idsOf(await get('/list/Majors.csv'))).toEqual(['BRTI'])
    expect(idsOf(await get('/list/MAJORS.csv'))).toEqual(['NCI', 'BRTI'])
    expect(idsOf(await get(`/list/${encodeURIComponent(odd)}.csv`))).toEqual(['BRTI'])
    for (const path of [
      '/list/../latest.csv',
      '/list/..%2F..%2Fsettings.csv',
      '/list/none.csv',
      '/',
      '/settings.json',
    ]) {
      expect((await get(path)).status).toBe(404)
    }
    expect(await get('/list/%ff.csv')).toMatchObject({
      status: 400,
      body: expect.stringContaining('percent-encoded') as unknown,
    })
    expect((await get('/list/none.csv')).body).toContain('There is no watchlist “none”. Choose one of: “majors”')
  })

  test('history.csv has the content of an export and leaves no file', async () => {
    const { get, folder } = await open()
    const from = new Date(historyStartMs).toISOString()
    const { status, body } = await get(`/history.csv?ids=BRTI&from=${from}`)
    expect(status).toBe(200)
    expect(body).toContain(`,${manyDigits},`)
    expect(body.split('\n')).toHaveLength(4)
    expect(readdirSync(folder)).toEqual([])
    const several = await Promise.all([1, 2, 3].map(() => get(`/history.csv?ids=BRTI&from=${from}&resolution=hour`)))
    expect(several.map((each) => each.status)).toEqual([200, 200, 200])
    expect(await get(`/history.csv?ids=NONE&from=${from}`)).toMatchObject({ status: 404 })
    for (const query of ['ids=BRTI', `ids=../x&from=${from}`, 'ids=BRTI&from=soon', `ids=BRTI&from=${from}&step=1`]) {
      expect((await get(`/history.csv?${query}`)).status).toBe(400)
    }
  })
})

describe('access', () => {
  test('the token works as a header and in the address until it is replaced', async () => {
    const { access, send, token, kept } = await open()
    expect((await send(`/latest.csv?token=${token}`)).status).toBe(200)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(kept.hash).not.toContain(token)
    for (const path of ['/latest.csv', '/latest.csv?token=', `/latest.csv?token=${kept.hash ?? ''}`]) {
      expect((await send(path)).status).toBe(401)
    }
    await access.makeToken()
    expect((await send(`/latest.csv?token=${token}`)).status).toBe(401)
  })

  test('without a token every request is refused', async () => {
    const { access, send, kept } = await open()
    delete kept.hash
    expect(access.view).toEqual({ hasToken: false })
    expect((await send('/latest.csv?token=')).status).toBe(401)
  })

  test('wrong tokens are limited, and the right one still works', async () => {
    const { send, get, clock } = await open()
    const statuses = new Map<number, number>()
    for (let at = 0; at < 1_000; at += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(`/latest.csv?token=wrong${at}`)))
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [401, 20],
      [429, 980],
    ])
    expect((await get('/latest.csv')).status).toBe(200)
    clock.advance(10_001)
    expect((await send('/latest.csv?token=wrong')).status).toBe(401)
  })

  test('the right token is slowed down as well when it asks in a loop', async () => {
    const { get } = await open()
    let last: Answer | undefined
    for (let at = 0; at < 201; at++) last = await get('/list/none.csv')
    expect(last).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
  })

  test('requests with another Host, or from web pages, are refused before the token is read', async () => {
    const { send, token, port } = await open()
    const path = `/latest.csv?token=${token}`
    const refused = async (how: Parameters<typeof send>[1], where = path) => (await send(where, how)).status
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1:${port + 1}`,
      `127.0.0.1:${port}.`,
      '[::1]',
    ]) {
      expect(await refused({ headers: { host } })).toBe(403)
    }
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${port}`]) {
      expect(await refused({ headers: { origin } })).toBe(403)
    }
    expect(await refused({ headers: { host: `LOCALHOST:${port}` } })).toBe(200)
    for (const site of ['cross-site', 'same-site', 'same-origin']) {
      expect(await refused({ headers: { 'sec-fetch-site': site } })).toBe(403)
    }
    expect(await refused({ headers: { 'sec-fetch-site': 'none' } })).toBe(200)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND']) {
      expect(await refused({ method })).toBe(405)
    }
    expect(await refused({}, `${path}&ids=${'x'.repeat(2_100)}`)).toBe(414)
    expect(await refused({}, `${path}&ids=${'x'.repeat(20_000)}`)).toBe(431)
  })

  test('a hundred concurrent requests are answered or refused', async () => {
    const { port, token, get } = await open()
    const hundred = await Promise.all(
      Array.from({ length: 100 }, () =>
        get('/latest.csv').then(
          ({ status }) => status,
          () => 'turned away',
        ),
      ),
    )
    expect(hundred.filter((status) => status === 200).length).toBeGreaterThanOrEqual(64)
    expect(hundred.filter((status) => status !== 200 && status !== 'turned away')).toEqual([])
    for (let at = 0; at < 20; at++) {
      const leaving = connect(port, '127.0.0.1')
      const asked = `GET /history.csv?ids=BRTI&from=2026-11-01&token=${token} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
      leaving.write(at % 2 === 0 ? asked : asked.slice(0, 40))
      await once(leaving, 'connect')
      leaving.resetAndDestroy()
    }
    expect((await get('/latest.csv')).status).toBe(200)
  })

  test('sixty-four connections without a complete request do not block the right token', async () => {
    const { port, get } = await open()
    const sockets = Array.from({ length: 64 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets.slice(32)) socket.write('GET /latest.csv HTTP/1.1\r\n')
    expect((await get('/latest.csv')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  test('invalid HTTP is closed, and only the loopback address is served', async () => {
    const { port, get } = await open()
    const socket = connect(port, '127.0.0.1').resume()
    socket.write('\u0000\u0001 no http\r\n\r\n')
    await once(socket, 'close')
    const other = connect(port, '127.0.0.2')
    const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toBe('ECONNREFUSED')
    expect((await get('/latest.csv')).status).toBe(200)
  })
})

describe('the switch', () => {
  test('when it is off, nothing listens', async () => {
    const { access, wanted, get } = await open()
    await access.setWanted({ ...wanted, allowsSpreadsheets: false })
    await expect(get('/latest.csv')).rejects.toThrow('ECONNREFUSED')
    await access.setWanted(wanted)
    expect((await get('/latest.csv')).status).toBe(200)
  })

  test('a used port is reported with a free one, and another port can be chosen', async () => {
    const { access, wanted, get } = await open()
    const port = await listenInTest(createServer())
    await access.setWanted({ ...wanted, spreadsheetPort: port })
    expect(access.view).toEqual({
      hasToken: true,
      problem: `Port ${port} is used by another program.`,
      freePort: expect.any(Number) as unknown,
    })
    await expect(get('/latest.csv')).rejects.toThrow('ECONNREFUSED')
    await access.setWanted(wanted)
    expect(access.view).toEqual({ hasToken: true })
    expect((await get('/latest.csv')).status).toBe(200)
  })
})
