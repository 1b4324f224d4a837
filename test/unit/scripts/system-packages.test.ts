import { expect, test } from 'vitest'
import {
  installedPackages,
  offeredPackages,
  packagesToInstall,
  unmetNeeds,
} from '../../../scripts/setup/system-packages.js'

const dpkgOutput = ['ii  libnss3', 'rc  xauth', 'un  xvfb', 'hi  libgbm1', 'iU  dbus', 'ii  libgtk-3-0t64', ''].join(
  '\n',
)

test('counts a package as installed if it is completely installed, selected or held', () =>
  expect([...installedPackages(dpkgOutput)]).toEqual(['libnss3', 'libgbm1', 'libgtk-3-0t64']))

test('counts nothing as installed when dpkg knows none of the packages', () =>
  expect(installedPackages('').size).toBe(0))

test('counts a need as met by any of its packages', () => {
  const needs = [['libgtk-3-0t64', 'libgtk-3-0'], ['libnss3'], ['dbus-daemon', 'dbus'], ['xauth']]
  expect(unmetNeeds(needs, installedPackages(dpkgOutput))).toEqual([['dbus-daemon', 'dbus'], ['xauth']])
})

const policy = `libasound2t64:
  Installed: (none)
  Candidate: 1.2.11-1build2
  Version table:
     1.2.11-1build2 500
libasound2:
  Installed: (none)
  Candidate: (none)
  Version table:
libnss3:
  Installed: 2:3.87.1-1
  Candidate: 2:3.87.1-1
`

test('reads which packages the release offers, and counts one without a candidate as not offered', () =>
  expect([...offeredPackages(policy)]).toEqual(['libasound2t64', 'libnss3']))

test('installs the name that the release offers', () => {
  const needs = [['libasound2t64', 'libasound2'], ['libnss3']]
  expect(packagesToInstall(needs, offeredPackages(policy))).toEqual(['libasound2t64', 'libnss3'])
  expect(packagesToInstall(needs, new Set(['libasound2', 'libnss3']))).toEqual(['libasound2', 'libnss3'])
})

test('chooses the oldest name if the release offers none', () =>
  expect(packagesToInstall([['libgtk-3-0t64', 'libgtk-3-0']], new Set())).toEqual(['libgtk-3-0']))
