import { execFile, fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { basic, refusalOf } from './stream-client'

interface Address {
  ws: string
  rest: string
  mcp: string
  keyId: string
  keySecret: string
}

const simulator = resolve(import.meta.dirname, '../../simulator')
const children: ChildProcess[] = []
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'))
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: { cli: join(simulator, 'cli.ts'), process: join(simulator, 'process.ts') },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
})

afterAll(() => rm(folder, { recursive: true }))

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

/** Starts the command; answers it with its first line, read, and what it says on stderr. */
async function startCommand(...args: string[]) {
  const child = spawn(process.execPath, [join(folder, 'cli.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, address: JSON.parse(line) as Address, said: () => said }
}

/** Runs the command to its end. */
function runCommand(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [join(folder, 'cli.mjs'), ...args], (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    children.push(child)
  })
}

async function payload({ rest, keyId, keySecret }: Address, path: string): Promise<unknown> {
  const response = await fetch(`${rest}/api/v1/${path}`, { headers: { authorization: basic(keyId, keySecret) } })
  return ((await response.json()) as { payload: unknown }).payload
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'command: its first line opens the service, and %s ends it',
  async (signal) => {
    const { child, address } = await startCommand('--port', '0')
    expect(Object.keys(address)).toEqual(['ws', 'rest', 'mcp', 'keyId', 'keySecret'])
    expect([address.keyId, address.mcp]).toEqual(['demo', `${address.rest}/mcp`])
    expect(await payload(address, 'indices/BRTI')).toMatchObject({ id: 'BRTI' })
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test('command: the same seed is the same market, and the secret is another at each start', async () => {
  const started = await Promise.all([1, 1, 2].map((seed) => startCommand('--port', '0', '--seed', String(seed))))
  const [one, same, other] = await Promise.all(started.map(({ address }) => payload(address, 'values?id=BRRAP')))
  expect(one).toEqual(same)
  expect(one).not.toEqual(other)
  expect(new Set(started.map(({ address }) => address.keySecret)).size).toBe(3)
})

test('command: a port that was asked for and is in use is named, exit code 1', async () => {
  const { address } = await startCommand('--port', '0')
  const { port } = new URL(address.rest)
  const { code, stdout, stderr } = await runCommand('--port', port)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`Port ${port} is in use.`)
})

test('command: when none was asked for and the usual one is in use, it is named and another is taken', async () => {
  const holder = createServer()
  // Somebody else may hold it already: then it is in use all the same.
  holder.on('error', () => undefined)
  holder.listen(17_600, '127.0.0.1')
  await Promise.race([once(holder, 'listening'), once(holder, 'error')])
  const { address, said } = await startCommand()
  expect(new URL(address.rest).port).not.toBe('17600')
  await eventually(() => {
    expect(said()).toContain('Port 17600 is in use. Another one is taken.')
  })
  expect(await payload(address, 'indices/BRTI')).toMatchObject({ id: 'BRTI' })
  holder.close()
})

test('command: a flag it does not know, or a number that is none, ends it with exit code 2 and the usage', async () => {
  for (const argument of ['--prot=1', '--port=high', '--seed=-1', 'start']) {
    const { code, stdout, stderr } = await runCommand(argument)
    expect([argument, code, stdout]).toEqual([argument, 2, ''])
    expect(stderr).toContain('Usage: npm run simulator')
  }
})

test('command: it outlives whoever read its first line', async () => {
  const { child, address } = await startCommand('--port', '0')
  child.stdout.destroy()
  child.stderr.destroy()
  // Each refused handshake is said on stderr, which nobody reads any more.
  for (let count = 0; count < 3; count++) expect(await refusalOf(address.ws)).toBe(401)
  expect(await payload(address, 'indices/BRTI')).toMatchObject({ id: 'BRTI' })
  expect(child.exitCode).toBeNull()
})

test('embedded process: it posts where it listens and ends when told', async () => {
  const parentPort = `process.parentPort = {
    on: (name, listener) => process.on(name, (data) => listener({ data })),
    postMessage: (message) => process.send(message),
  }`
  const child = fork(join(folder, 'process.mjs'), { execArgv: ['--import', `data:text/javascript,${parentPort}`] })
  children.push(child)
  const [address] = (await once(child, 'message')) as [Address]
  expect(await payload(address, 'indices/BRTI')).toMatchObject({ id: 'BRTI' })
  child.send('something else')
  child.send('stop')
  await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  await expect(fetch(address.rest)).rejects.toThrow()
})
