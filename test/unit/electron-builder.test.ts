import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appId } from '../../main/desktop/app-names'
import { linkScheme } from '../../main/desktop/deep-link'

const file = readFileSync(join(import.meta.dirname, '..', '..', 'electron-builder.yml'), 'utf8')

/** What a package of this kind depends on, a line each. */
function depends(kind: 'deb' | 'rpm'): string[] {
  const section = new RegExp(String.raw`^${kind}:\n((?: .*\n)+)`, 'm').exec(file)?.[1] ?? ''
  const list = /^ {2}depends:\n((?: {4}- .*\n)+)/m.exec(section)?.[1] ?? ''
  return list.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(6).replaceAll("'", '')]))
}

// None of them comes with another package; Electron opens the first three by name, and ends with "Illegal instruction"
// without the very first.
test.each(
  Object.entries({
    'libX11-xcb.so.1': { deb: 'libx11-xcb1', rpm: '(libX11-xcb or libX11-xcb1)' },
    'libGL.so.1': { deb: 'libgl1', rpm: '(libglvnd-glx or Mesa-libGL1)' },
    'libEGL.so.1': { deb: 'libegl1', rpm: '(libglvnd-egl or Mesa-libEGL1)' },
    'libsecret-1.so.0': { deb: 'libsecret-1-0', rpm: '(libsecret or libsecret-1-0)' },
    'libgbm.so.1': { deb: 'libgbm1', rpm: '(mesa-libgbm or libgbm1)' },
    'libasound.so.2': { deb: 'libasound2t64 | libasound2', rpm: '(alsa-lib or libasound2)' },
  }),
)('the deb and the rpm bring %s along', (_library, { deb, rpm }) => {
  expect(depends('deb')).toContain(deb)
  expect(depends('rpm')).toContain(rpm)
})

// Under them systems keep what the user pinned, allowed and stored, and links their program: they never change.
test('the app keeps its names', () => {
  const { name, desktopName } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
  ) as Record<string, string>
  expect(name).toBe('indexwatch')
  expect(appId).toBe('org.indexwatch.Indexwatch')
  expect(/^appId: (\S+)/m.exec(file)?.[1]).toBe(appId)
  expect(/^productName: (\S+)/m.exec(file)?.[1]).toBe('Indexwatch')
  expect(desktopName).toBe(`${appId}.desktop`)
  expect(/^ {2}syncDesktopName: (\S+)/m.exec(file)?.[1]).toBe('true')
  expect(linkScheme).toBe('indexwatch')
  expect(/^ {4}schemes: \[(.+)\]/m.exec(file)?.[1]).toBe(linkScheme)
})
