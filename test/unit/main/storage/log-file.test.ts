import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog, redactor } from '../../../../main/base/log'
import { LogFile } from '../../../../main/storage/log-file'
import { FakeClock } from '../../../support/fake-clock'
import { temporaryFolder } from '../../../support/temporary-folder'

const isUnix = process.platform !== 'win32'

function openLog(folder = join(temporaryFolder(), 'logs'), maxBytes = 1_000) {
  const problems: string[] = []
  const file = new LogFile({ folder, maxBytes, onProblem: (message) => problems.push(message) })
  const text = (name = 'indexwatch.log') => readFileSync(join(folder, name), 'utf8')
  return { folder, problems, file, text }
}

test('a line is on disk when `write` returns, in a created folder, after lines of earlier runs', () => {
  const { folder, file, text } = openLog()
  file.write('one')
  expect(text()).toBe('one\n')
  openLog(folder).file.write('two')
  expect(text()).toBe('one\ntwo\n')
})

test.runIf(isUnix)('only the owner can read it', () => {
  const { folder, file } = openLog()
  file.write('one')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'indexwatch.log')).mode & 0o777).toBe(0o600)
})

test('two files of limited size are kept, with the newest lines complete', () => {
  const { folder, file, text } = openLog()
  for (let line = 0; line < 1_000; line++) file.write(`line ${line} ${'x'.repeat(line % 50)}`)
  expect(readdirSync(folder).toSorted()).toEqual(['indexwatch.log', 'indexwatch.old.log'])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1_000)
  const kept = (text('indexwatch.old.log') + text()).trimEnd().split('\n')
  const first = 1_000 - kept.length
  expect(kept.length).toBeGreaterThan(20)
  expect(kept).toEqual(kept.map((_, at) => `line ${first + at} ${'x'.repeat((first + at) % 50)}`))
})

test('a line longer than the limit is written to a file of its own', () => {
  const { file, text } = openLog()
  file.write('before')
  file.write('x'.repeat(2_000))
  file.write('after')
  expect(text()).toBe('after\n')
  expect(text('indexwatch.old.log')).toBe(`${'x'.repeat(2_000)}\n`)
})

test('a secret reaches it in no form', () => {
  const { file, text } = openLog()
  const secret = 'correct-horse/9~'
  const clock = new FakeClock()
  const log = createLog({
    write: (line) => file.write(line),
    redact: redactor(() => [secret]),
    clock,
  })
  const basic = Buffer.from(`reader:${secret}`).toString('base64')
  log.error(`failed with ${secret}`, { header: `Basic ${basic}`, url: `https://a/${encodeURIComponent(secret)}` })
  expect(text()).toContain('ERROR failed with [removed]')
  for (const form of [secret, encodeURIComponent(secret), basic, Buffer.from(secret).toString('hex')]) {
    expect(text()).not.toContain(form)
  }
})

test('a failed write does not throw, and is reported once', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'plain'), 'x')
  const { file, problems } = openLog(join(folder, 'plain'))
  for (let line = 0; line < 3; line++) file.write('lost')
  expect(problems).toEqual([expect.stringContaining('The log file cannot be written')])
})

test('a removed folder is created again', () => {
  const { folder, file, text, problems } = openLog()
  file.write('one')
  execFileSync('rm', ['-r', folder])
  file.write('two')
  expect(text()).toBe('two\n')
  expect(problems).toEqual([])
})

test.runIf(isUnix)('neither a pipe nor a link in its place is written to', () => {
  const { folder, file, problems } = openLog()
  mkdirSync(folder)
  execFileSync('mkfifo', [join(folder, 'indexwatch.log')])
  file.write('lost')
  expect(problems).toEqual([expect.stringContaining('not a file')])
  const other = openLog()
  mkdirSync(other.folder)
  symlinkSync(join(other.folder, 'target'), join(other.folder, 'indexwatch.log'))
  other.file.write('lost')
  expect(existsSync(join(other.folder, 'target'))).toBe(false)
})

test('the last lines before a crash are there', () => {
  const folder = join(temporaryFolder(), 'logs')
  const module = join(import.meta.dirname, '..', '..', '..', '..', 'main', 'storage', 'log-file.ts')
  const program = `
    import { LogFile } from ${JSON.stringify(module)}
    const file = new LogFile({ folder: ${JSON.stringify(folder)}, onProblem: console.error })
    for (let line = 0; line < 100; line++) file.write('line ' + line)
    process.kill(process.pid, 'SIGKILL')
  `
  const resolution = join(import.meta.dirname, '..', '..', '..', 'support', 'typescript-resolution.js')
  const run = spawnSync(process.execPath, ['--import', resolution, '--input-type=module', '--eval', program])
  expect(run.signal).toBe('SIGKILL')
  expect(readFileSync(join(folder, 'indexwatch.log'), 'utf8').trimEnd().split('\n').at(-1)).toBe('line 99')
})
