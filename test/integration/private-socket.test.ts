import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectPrivately, listenPrivately, type Channel } from '../../main/access/private-socket'
import { eventually } from '../support/eventually'
import { temporaryFolder } from '../support/temporary-folder'
import { valueOf } from '../support/value-of'

const quiet = () => ({ onMessage: () => undefined, onClosed: () => undefined })

/**
 * The app listening as on Windows, echoing each message. On other systems its pipe is a socket in the working folder.
 */
async function listen(folder: string): Promise<() => void> {
  const answer = (channel: Channel<object>) => ({
    onMessage: (message: unknown) => channel.send({ heard: message }),
    onClosed: () => undefined,
  })
  const listening = valueOf(await listenPrivately(folder, answer, 'win32'))
  onTestFinished(listening)
  return listening
}

test('on Windows the app is found by the name of this start and no other', async () => {
  const folder = temporaryFolder()
  const find = () => connectPrivately(folder, quiet, 'win32')
  expect(await find()).toBeUndefined()
  const end = await listen(folder)
  const kept = join(folder, 'assistants', 'pipe')
  const name = readFileSync(kept, 'utf8')
  expect(name).toMatch(/^indexwatch-[\da-f]{32}$/)
  expect(statSync(kept).mode & 0o077).toBe(0)

  const heard: unknown[] = []
  const listener = { onMessage: (message: unknown) => void heard.push(message), onClosed: () => void heard.push('end') }
  const channel = await connectPrivately(folder, () => listener, 'win32')
  channel?.send({ call: 1 })
  await eventually(() => expect(heard).toEqual([{ heard: { call: 1 } }]))
  end()
  await eventually(() => expect(heard).toContain('end'))
  expect(await find()).toBeUndefined()

  await listen(folder)
  expect(readFileSync(kept, 'utf8')).not.toBe(name)
  const again = await find()
  expect(again).toBeDefined()
  again?.close()
  // A foreign pipe to which a manipulated name would point.
  const foreign = createServer().listen(String.raw`\\.\pipe\evil`)
  onTestFinished(() => void foreign.close())
  await once(foreign, 'listening')
  for (const other of [name, 'evil', 'indexwatch-']) {
    writeFileSync(kept, other)
    expect(await find()).toBeUndefined()
  }
})
