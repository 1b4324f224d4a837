import { execFile, fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { childProgram } from '../support/child-programs'
import { eventually } from '../support/eventually'
import { basic, refusalOf } from './stream-client'

interface Address {
  ws: string
  rest: string
  mcp: string
  keyId: string
  keySecret: string
}

const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

/** Starts the command. Returns the child with the address of its first line and its stderr so far. */
async function startCommand(...args: string[]) {
  const child = spawn(process.execPath, [childProgram('simulator-cli'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let stderr = ''
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, address: JSON.parse(line) as Address, stderr: () => stderr }
}

/** Runs the command to its end. */
function runCommand(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [childProgram('simulator-cli'), ...args], (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
    children.push(child)
  })
}

async function payload({ rest, keyId, keySecret }: Address, path: string): Promise<unknown> {
  const response = await fetch(`${rest}/api/v1/${path}`, { headers: { authorization: basic(keyId, keySecret) } })
  return ((await response.json()) as { payload: unknown }).payload
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'command: its first line is the address of the service, and %s ends it',
  async (signal) => {
    const { child, address } = await startCommand('--port', '0')
    expect(Object.keys(address)).toEqual(['ws', 'rest', 'mcp', 'keyId', 'keySecret'])
    expect([address.keyId, address.mcp]).toEqual(['demo', `${address.rest}/mcp`])
    expect(await payload(address, 'indices/BRTI')).toMatchObject({ id: 'BRTI' })
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test('command: the same seed gives the same market, and each start another secret', async () => {
  const started = await Promise.all([1, 1, 2].map((seed) => startCommand('--port', '0', '--seed', String(seed))))
  const [one, same, other] = await Promise.all(started.map(({ address }) => payload(address, 'values?id=BRRAP')))
  expect(one).toEqual(same)
  expect(one).not.toEqual(other)
  expect(new Set(started.map(({ address }) => address.keySecret)).size).toBe(3)
})

test('command: a requested port that is in use is reported, exit code 1', async () => {
  const { address } = await startCommand('--port', '0')
  const { port } = new URL(address.rest)
  const { code, stdout, stderr } = await runCommand('--port', port)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`Port ${port} is in use.`)
})

test('command: without a requested port, a default port in use is reported and another is used', async () => {
  const holder = createServer()
  // The port may be in use already, which serves the test as well.
  holder.on('error', () => undefined)
  holder.listen(17_600, '127.0.0.1')
  await Promise.race([once(holder, 'listening'), once(holder, 'error')])
  const { address, stderr } = await startCommand()
  expect(new URL(address.rest).port).not.toBe('17600')
  await eventually(() => expect(stderr()).toContain('Port 17600 is in use. Using another one.'))
  expect(await payload(address, 'indices/BRTI')).toMatchObject({ id: 'BRTI' })
  holder.close()
})

test('command: an unknown flag ends it with exit code 2 and the usage', async () => {
  const { code, stdout, stderr } = await runCommand('--prot=1')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('Usage: npm run simulator')
})

test('command: it keeps running after the reader of its first line has ended', async () => {
  const { child, address } = await startCommand('--port', '0')
  child.stdout.destroy()
  child.stderr.destroy()
  // Each refused handshake is logged to stderr, which is closed.
  for (let count = 0; count < 3; count++) expect(await refusalOf(address.ws)).toBe(401)
  expect(await payload(address, 'indices/BRTI')).toMatchObject({ id: 'BRTI' })
  expect(child.exitCode).toBeNull()
})

test('embedded process: it posts its address and ends on request', async () => {
  const parentPort = `process.parentPort = {
    on: (name, listener) => process.on(name, (data) => listener({ data })),
    postMessage: (message) => process.send(message),
  }`
  const child = fork(childProgram('simulator-process'), {
    execArgv: ['--import', `data:text/javascript,${parentPort}`],
  })
  children.push(child)
  const [address] = (await once(child, 'message')) as [Address]
  expect(await payload(address, 'indices/BRTI')).toMatchObject({ id: 'BRTI' })
  child.send('something else')
  child.send('stop')
  await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  await expect(fetch(address.rest)).rejects.toThrow()
})
