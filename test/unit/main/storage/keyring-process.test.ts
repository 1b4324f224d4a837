import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { KeyringProcess } from '../../../../main/storage/keyring-process'

const support = join(import.meta.dirname, '..', '..', '..', 'support')
const secret = 'canary "7f3a" \u2028 ü\n'
const open: KeyringProcess[] = []

afterEach(() => {
  for (const each of open.splice(0)) each.dispose()
})

const turned = (text: string) => Array.from(text).toReversed().join('')

function keyring(how: string) {
  const children: ChildProcess[] = []
  const start = () => {
    const loader = join(support, 'typescript-resolution.js')
    const child = spawn(process.execPath, ['--import', loader, join(support, 'keyring.child.ts'), how], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    children.push(child)
    return child
  }
  const asking = new KeyringProcess(start)
  open.push(asking)
  return { asking, children }
}

test('one process encrypts and decrypts in order, and ends when all requests are answered', async () => {
  const { asking, children } = keyring('answers')
  const answers = await Promise.all([asking.encrypt(secret), asking.encrypt('two'), asking.decrypt(Buffer.from('abc'))])
  expect(answers.map(String)).toEqual([turned(secret), 'owt', 'cba'])
  expect(children).toHaveLength(1)
  expect(children[0]?.spawnargs.join(' ')).not.toContain('canary')
  expect(children[0]?.signalCode).toBe('SIGKILL')
  expect(String(await asking.encrypt('three'))).toBe('eerht')
  expect(children).toHaveLength(2)
})

test.each(['refuses', 'isAbsent', 'dies'])(
  'where the keyring %s, asking it fails, and may be tried again',
  async (how) => {
    const { asking, children } = keyring(how)
    const both = await Promise.allSettled([asking.encrypt(secret), asking.decrypt(Buffer.from('x'))])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(asking.encrypt(secret)).rejects.toThrow()
    expect(children.length).toBeGreaterThan(1)
  },
)

test('a program that cannot be started is a keyring that fails', async () => {
  const asking = new KeyringProcess(() => spawn('/nowhere/indexwatch', [], { stdio: ['pipe', 'pipe', 'ignore'] }))
  await expect(asking.encrypt(secret)).rejects.toThrow()
})

test('a keyring that never answers blocks no other call, and its process ends with the app', async () => {
  const { asking, children } = keyring('isSilent')
  const waiting = asking.encrypt(secret)
  const [child] = children
  if (child === undefined) throw new Error('nobody asks')
  // Otherwise its answer would arrive first.
  await once(child, 'spawn')
  asking.dispose()
  await expect(waiting).rejects.toThrow('has ended')
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
})
