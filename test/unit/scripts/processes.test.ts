import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const module = pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'scripts', 'setup', 'processes.js')).href
/** A command of the project that starts a child, prints its id and waits for its end. */
const command = `import { ended, runCommand, startChild } from ${JSON.stringify(module)}
  runCommand(() => {
    const child = startChild('sleep', ['1000'])
    console.log(child.pid)
    return ended(child)
  })`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
  'a command that gets %s leaves none of its processes behind',
  async (signal) => {
    const started = spawn(process.execPath, ['--input-type=module', '--eval', command])
    const [line] = (await once(createInterface(started.stdout), 'line')) as [string]
    expect(isRunning(Number(line))).toBe(true)
    started.kill(signal)
    await once(started, 'exit')
    await expect.poll(() => isRunning(Number(line))).toBe(false)
  },
)
