import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sessionBus } from 'dbus-next'
import { watchBusName } from '../../main/desktop/bus-name'
import { DBusSession } from '../support/dbus-session'
import { eventually } from '../support/eventually'

const name = 'org.kde.StatusNotifierWatcher'
let folder: string
let bus: DBusSession

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indexwatch-bus-'))
  bus = await DBusSession.start(folder)
})

afterEach(async () => {
  await bus.stop()
  await rm(folder, { recursive: true, force: true })
})

test('reports when a name on a real bus is taken, released and taken again', async () => {
  const seen: (boolean | 'lost')[] = []
  const stop = watchBusName({
    address: bus.address,
    name,
    onOwned: (isOwned) => seen.push(isOwned),
    onLost: () => seen.push('lost'),
  })
  await eventually(() => expect(seen).toEqual([false]))
  const host = sessionBus({ busAddress: bus.address })
  await host.requestName('org.example.Other', 0)
  await host.requestName(name, 0)
  await host.releaseName(name)
  await host.requestName(name, 0)
  await eventually(() => expect(seen).toEqual([false, true, false, true]))
  const late: boolean[] = []
  const stopLate = watchBusName({
    address: bus.address,
    name,
    onOwned: (isOwned) => late.push(isOwned),
    onLost: () => undefined,
  })
  await eventually(() => expect(late).toEqual([true]))
  stopLate()
  host.disconnect()
  await eventually(() => expect(seen.at(-1)).toBe(false))
  stop()
  expect(seen).not.toContain('lost')
  expect(late).toEqual([true])
})

test('reports once when the bus is missing, refuses or ends', async () => {
  const seen: string[] = []
  const watch = (address: string) =>
    watchBusName({
      address,
      name,
      onOwned: () => seen.push('owned'),
      onLost: () => seen.push('lost'),
    })
  watch(`unix:path=${join(folder, 'nobody')}`)
  watch('tcp:host=localhost')
  const refusing = createServer((line) => {
    line.on('error', () => undefined).resume()
    line.write('REJECTED EXTERNAL\r\n')
  })
  const path = join(folder, 'refusing')
  await new Promise<void>((resolve) => refusing.listen(path, resolve))
  watch(`unix:path=${path}`)
  await eventually(() => expect(seen).toEqual(['lost', 'lost', 'lost']))
  watch(bus.address)
  await eventually(() => expect(seen).toEqual(['lost', 'lost', 'lost', 'owned']))
  await bus.stop()
  await eventually(() => expect(seen.at(-1)).toBe('lost'))
  // A second report of the same end would follow immediately.
  await new Promise(setImmediate)
  expect(seen).toEqual(['lost', 'lost', 'lost', 'owned', 'lost'])
  refusing.close()
})

test('reports an invalid address or answer once, and continues otherwise', async () => {
  const seen: (boolean | 'lost')[] = []
  const watch = (address: string) =>
    watchBusName({
      address,
      name,
      onOwned: (isOwned) => seen.push(isOwned),
      onLost: () => seen.push('lost'),
    })
  watch('nonsense')
  expect(seen).toEqual(['lost'])
  watch('unix:path=/x%zz')
  await eventually(() => expect(seen).toEqual(['lost', 'lost']))
  // The answer to GetNameOwner, without its number.
  const fields = [5, 1, 0x75, 0, 3, 0, 0, 0]
  const answer = Buffer.from([0x6c, 2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, fields.length, 0, 0, 0, ...fields])
  const path = join(folder, 'odd')
  const server = createServer((line) => {
    line.on('error', () => undefined).resume()
    line.write(Buffer.concat([Buffer.from('OK 1234\r\n'), answer, answer]))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  watch(`unix:path=${path}`)
  await eventually(() => expect(seen).toEqual(['lost', 'lost', 'lost']))
  server.close()
})
