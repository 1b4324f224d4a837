import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setFuses } from '../../../scripts/setup/fuses.js'

const marker = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indexwatch-fuses-'))
  file = join(folder, 'electron')
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A file that holds fuses as an executable does. */
function executable({ fuses = '10101010', version = 1, before = 100, copies = 1 } = {}): Buffer {
  const wire = Buffer.concat([Buffer.from(marker), Buffer.from([version, fuses.length]), Buffer.from(fuses)])
  const content = Buffer.concat([Buffer.alloc(before, 7), ...Array<Buffer>(copies).fill(wire), Buffer.alloc(50, 9)])
  writeFileSync(file, content)
  return content
}

const wanted = { loadBrowserProcessSpecificV8Snapshot: false, enableNodeCliInspectArguments: true }

test('sets the wanted fuses and changes nothing else', async () => {
  const before = executable()
  await setFuses(file, wanted)
  const after = readFileSync(file)
  expect(after.toString('latin1')).toBe(before.toString('latin1').replace('10101010', '10111000'))
})

test('means the same fuses as the official tool', async () => {
  executable({ fuses: '00000011' })
  await setFuses(file, wanted)
  const wire = await getCurrentFuseWire(file)
  expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe('1'.charCodeAt(0))
  expect(wire[FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]).toBe('0'.charCodeAt(0))
  expect(wire[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe('1'.charCodeAt(0))
  expect(wire[FuseV1Options.RunAsNode]).toBe('0'.charCodeAt(0))
})

test.for([-31, -16, -1, 0, 1])(
  'finds the marker that begins %i bytes from a border of what is read at once',
  async (shift) => {
    executable({ before: (8 << 20) + shift })
    await setFuses(file, wanted)
    expect(readFileSync(file, 'latin1')).toContain('10111000')
  },
)

test.for([
  [
    'no fuses',
    () => {
      writeFileSync(file, 'nothing here')
    },
    'has no fuses',
  ],
  ['two sets of fuses', () => executable({ copies: 2 }), 'more than one set'],
  ['another layout', () => executable({ version: 2 }), 'layout 2'],
  ['too few fuses', () => executable({ fuses: '10101' }), 'no fuse loadBrowserProcessSpecificV8Snapshot'],
  ['a removed fuse', () => executable({ fuses: '101r1010' }), 'no fuse enableNodeCliInspectArguments'],
] satisfies [string, () => unknown, string][])(
  'leaves a file with %s as it is and says why',
  async ([, write, message]) => {
    write()
    const before = readFileSync(file)
    await expect(setFuses(file, wanted)).rejects.toThrow(message)
    expect(readFileSync(file).equals(before)).toBe(true)
    // The control: the same call on a whole file.
    executable()
    await expect(setFuses(file, wanted)).resolves.toBeUndefined()
  },
)
