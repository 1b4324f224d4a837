/**
 * Runs several writers, each in its own folder. Each replaces one version of a file with the next and stops before one
 * file operation: the first writer before the first operation, the last one before the last. A write that is stopped
 * has written half of the content. Then the process kills itself.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync, writeFileSync, writeSync } from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { SystemClock } from '../../../../main/base/clock'
import { AtomicJsonFile } from '../../../../main/storage/atomic-file'

interface Writer {
  /** File operations so far. */
  operations: number
  stopAt: number
  stop: () => void
}

const [folder = '', manner] = process.argv.slice(2)
const filling = Array.from({ length: 20_000 }, (_, at) => `${at}.00`)
const writers = new AsyncLocalStorage<Writer>()

if (manner === 'atomic') {
  countOperations()
  const { operations } = await writeUntil(0)
  await Promise.all(Array.from({ length: operations }, (_, at) => writeUntil(at + 1)))
  writeSync(1, `${operations}`)
} else {
  const text = JSON.stringify({ count: 1, filling, again: 1 })
  writeFileSync(join(folder, 'data.json'), text.slice(0, text.length / 2))
}
process.kill(process.pid, 'SIGKILL')

/** Resolves when the writer has stopped before operation `stopAt`, or has finished. */
async function writeUntil(stopAt: number): Promise<Writer> {
  const own = join(folder, `${stopAt}`)
  mkdirSync(own)
  const file = new AtomicJsonFile({
    path: join(own, 'data.json'),
    clock: new SystemClock(),
    maxBytes: 2 ** 20,
    keepsCopy: true,
  })
  await file.read()
  await file.write({ count: 1, filling, again: 1 })
  return new Promise((resolve) => {
    const writer = {
      operations: 0,
      stopAt,
      stop: () => resolve(writer),
    }
    void writers.run(writer, () => file.write({ count: 2, filling, again: 2 })).then(writer.stop)
  })
}

function countOperations(): void {
  files.rename = counted(files.rename)
  files.rm = counted(files.rm)
  const open = counted(files.open)
  files.open = async (...given) => {
    const handle = await open(...given)
    const append = handle.appendFile.bind(handle)
    handle.appendFile = async (data, options) => {
      const isTheEnd = isNextTheEnd()
      await append(isTheEnd && typeof data === 'string' ? data.slice(0, data.length / 2) : data, options)
      if (isTheEnd) await stopped()
    }
    handle.sync = counted(handle.sync.bind(handle))
    handle.close = counted(handle.close.bind(handle))
    return handle
  }
  syncBuiltinESMExports()
}

function counted<Given extends unknown[], Answer>(run: (...given: Given) => Promise<Answer>) {
  return async (...given: Given): Promise<Answer> => {
    if (isNextTheEnd()) await stopped()
    return run(...given)
  }
}

function isNextTheEnd(): boolean {
  const writer = writers.getStore()
  if (writer === undefined) return false
  writer.operations++
  return writer.operations === writer.stopAt
}

function stopped(): Promise<never> {
  writers.getStore()?.stop()
  return new Promise(() => undefined)
}
