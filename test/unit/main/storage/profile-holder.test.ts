import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maxHandOverMs, otherComputer, ProfileHolder, removeOtherLock } from '../../../../main/storage/profile-holder'
import { FakeClock } from '../../../support/fake-clock'
import { temporaryFolder } from '../../../support/temporary-folder'

function profile() {
  const folder = temporaryFolder()
  const clock = new FakeClock()
  const path = join(folder, 'in-use.json')
  const isHeldBy = (computer: string) => writeFileSync(path, JSON.stringify({ computer, id: 'theirs' }))
  return { folder, clock, path, isHeldBy, holder: new ProfileHolder(folder, clock) }
}

describe('the computer that has a profile', () => {
  test('is another one by its note or, without one, by Chromium’s lock', () => {
    const { folder, isHeldBy, path } = profile()
    expect(otherComputer(folder)).toBeUndefined()
    symlinkSync('other-desk-4711', join(folder, 'SingletonLock'))
    expect(otherComputer(folder)).toBe('other-desk')
    isHeldBy('third')
    expect(otherComputer(folder)).toBe('third')
    isHeldBy(hostname())
    expect(otherComputer(folder)).toBeUndefined()
    writeFileSync(path, '{"comp')
    expect(otherComputer(folder)).toBe('other-desk')
  })

  test('is this one, also after a crash, until it ends in order', () => {
    const { folder, holder, path } = profile()
    holder.take()
    expect(otherComputer(folder)).toBeUndefined()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ computer: hostname() })
    holder.release()
    expect(existsSync(path)).toBe(false)
  })
})

describe('a profile that is taken over', () => {
  test('loses the lock of another computer, and keeps that of this one', () => {
    const { folder } = profile()
    const lock = join(folder, 'SingletonLock')
    removeOtherLock(folder)
    symlinkSync(`${hostname()}-4711`, lock)
    removeOtherLock(folder)
    expect(readlinkSync(lock)).toBe(`${hostname()}-4711`)
    rmSync(lock)
    symlinkSync(`other-desk-${process.pid}`, lock)
    removeOtherLock(folder)
    expect(readdirSync(folder)).toEqual([])
  })

  test('is released before the other computer begins to write', async () => {
    const { holder, clock, isHeldBy } = profile()
    holder.take()
    const lost: string[] = []
    holder.follow((computer) => lost.push(computer))
    isHeldBy('other-desk')
    clock.advance(maxHandOverMs - 1)
    await expect.poll(() => lost).toEqual(['other-desk'])
    expect(clock.pending).toBe(0)
  })

  test('is not lost while its disk cannot be read or the note is cut off', async () => {
    const { holder, clock, path, isHeldBy } = profile()
    holder.take()
    const lost: string[] = []
    holder.follow((computer) => lost.push(computer))
    writeFileSync(path, '{')
    clock.advance(maxHandOverMs)
    await expect.poll(() => clock.pending).toBe(1)
    rmSync(path)
    clock.advance(maxHandOverMs)
    await expect.poll(() => clock.pending).toBe(1)
    isHeldBy('other-desk')
    clock.advance(maxHandOverMs)
    await expect.poll(() => lost).toEqual(['other-desk'])
  })
})
