import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryPath } from '../../../../main/storage/disk'
import { UnfinishedFiles } from '../../../../main/storage/unfinished-files'
import { temporaryFolder } from '../../../support/temporary-folder'

const never = () => new Promise<never>(() => undefined)

/** A file whose writing never ends, in the process of a profile. */
async function begun(profile: string, temporary: string): Promise<UnfinishedFiles> {
  const unfinished = new UnfinishedFiles(profile)
  void unfinished.during(temporary, never)
  await expect.poll(() => readdirSync(join(profile, 'unfinished')).length).toBe(1)
  return unfinished
}

test('a file of an earlier process is removed with its note', async () => {
  const [profile, folder] = [temporaryFolder(), temporaryFolder()]
  const temporary = temporaryPath(join(folder, 'values.csv'))
  writeFileSync(temporary, 'half')
  writeFileSync(join(folder, 'values.csv'), 'before')
  const own = await begun(profile, temporary)
  // The same process is still writing it.
  expect(await own.sweep()).toEqual([])
  expect(await new UnfinishedFiles(profile).sweep()).toEqual([temporary])
  expect(readdirSync(folder)).toEqual(['values.csv'])
  expect(readdirSync(join(profile, 'unfinished'))).toEqual([])
})

test('a file of another process stays until that process has ended', async () => {
  const [profile, folder] = [temporaryFolder(), temporaryFolder()]
  const temporary = temporaryPath(join(folder, 'values.csv'))
  writeFileSync(temporary, 'half')
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(other, 'spawn')
  mkdirSync(join(profile, 'unfinished'))
  writeFileSync(join(profile, 'unfinished', 'note'), `${other.pid}\n${temporary}`)
  expect(await new UnfinishedFiles(profile).sweep()).toEqual([])
  const ended = once(other, 'exit')
  other.kill('SIGKILL')
  await ended
  expect(await new UnfinishedFiles(profile).sweep()).toEqual([temporary])
})

test('a note removes no file of the user’s: none of another name, no link and no folder', async () => {
  const [profile, folder] = [temporaryFolder(), temporaryFolder()]
  const named = join(folder, 'values.csv')
  const [link, inside] = [temporaryPath(named), temporaryPath(named)]
  writeFileSync(named, 'mine')
  symlinkSync(named, link)
  mkdirSync(inside)
  mkdirSync(join(profile, 'unfinished'))
  for (const [at, path] of [named, link, inside, '', 'relative.0123456789ab.tmp'].entries()) {
    writeFileSync(join(profile, 'unfinished', `${at}`), `${process.pid}\n${path}`)
  }
  writeFileSync(join(profile, 'unfinished', 'empty'), '')
  expect(await new UnfinishedFiles(profile).sweep()).toEqual([])
  expect([named, link, inside].every((path) => existsSync(path))).toBe(true)
  expect(readdirSync(join(profile, 'unfinished'))).toEqual([])
})

test('a profile that takes no note keeps no file from being written', async () => {
  const profile = temporaryFolder()
  writeFileSync(join(profile, 'unfinished'), 'a file')
  const unfinished = new UnfinishedFiles(profile)
  expect(await unfinished.during('/nowhere/values.csv.0123456789ab.tmp', () => Promise.resolve('written'))).toBe(
    'written',
  )
  expect(await unfinished.sweep()).toEqual([])
})
