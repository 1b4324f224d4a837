// @ts-check
// The system libraries that Electron, its display and the tests need, on Debian and Ubuntu. Other systems are skipped,
// since the names of their packages are unknown.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError, runStep } from './processes.js'
import { hasDisplay } from './display.js'
import { say, secondsSince } from './terminal.js'

const stage = 'system packages'

/**
 * One need, met by any of its packages, since libraries are renamed or split between releases.
 * @typedef {readonly string[]} Need
 */

/** @type {readonly Need[]} */
const appNeeds = [
  ['libgtk-3-0t64', 'libgtk-3-0'],
  ['libnss3'],
  ['libasound2t64', 'libasound2'],
  ['libgbm1'],
  ['libnotify4'],
  ['fonts-dejavu-core'],
]
/** @type {readonly Need[]} */
const displayNeeds = [['xvfb'], ['xauth']]
/** @type {readonly Need[]} */
const testNeeds = [
  ...displayNeeds,
  ['dbus-daemon', 'dbus'],
  ['gnome-keyring'],
  // The window in which it asks for its password.
  ['gcr'],
  ['libsecret-1-0'],
  // A real notification daemon and a real panel.
  ['dunst'],
  ['xfce4-panel'],
  ['xfconf'],
  // A Wayland compositor that draws on the virtual display.
  ['weston'],
  // A real proxy, and the record of every line that a process opens.
  ['tinyproxy-bin'],
  ['strace'],
  // What windows are on a screen, seen from outside, and the keys that a user presses in them.
  ['x11-utils'],
  ['xdotool'],
  // What a watch speaks to systemd by, and what listens in its place.
  ['systemd'],
  ['python3'],
  // A library that lets calls of the system fail.
  ['gcc'],
  ['libc6-dev'],
]
/** What joins pictures to a film. @type {readonly Need[]} */
const pictureNeeds = [['imagemagick']]
/** What builds packages to test with. @type {readonly Need[]} */
const packageNeeds = [['7zip'], ['desktop-file-utils'], ['dpkg'], ['rpm'], ['squashfs-tools']]
/** What tries them: a Debian of their own, FUSE, and programs that look at windows. @type {readonly Need[]} */
const packageTestNeeds = [
  ['appstream'],
  ['debootstrap'],
  ['desktop-file-utils'],
  ['fuse3'],
  ['squashfs-tools'],
  ['squashfuse'],
]
/**
 * The shell of Chromium, which draws no window of its own, runs the page tests in half the processor time.
 * @type {Need}
 */
const browserNeed = ['chromium-headless-shell', 'chromium', 'chromium-browser']

const chromiumPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
]

/** The Chromium of the renderer tests. @returns {string | undefined} */
export function findChromium() {
  return process.env['CHROMIUM_PATH'] ?? chromiumPlaces.find((file) => existsSync(file))
}

/**
 * @param {string} output of `dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n'`
 * @returns {Set<string>} the packages that are completely installed: not removed, not half-configured
 */
export function installedPackages(output) {
  const lines = output.split('\n').map((line) => /^[a-z]i\s+(\S+)$/.exec(line.trim()))
  return new Set(lines.flatMap((match) => match?.[1] ?? []))
}

/**
 * @param {string} output of `apt-cache policy NAMES`, in the C locale
 * @returns {Set<string>} the packages that this release offers
 */
export function offeredPackages(output) {
  const offered = new Set()
  let name = ''
  for (const line of output.split('\n')) {
    name = /^(\S+):$/.exec(line)?.[1] ?? name
    const candidate = /^\s+Candidate: (.+)$/.exec(line)?.[1]
    if (candidate && candidate !== '(none)') offered.add(name)
  }
  return offered
}

/**
 * @param {readonly Need[]} needs
 * @param {ReadonlySet<string>} present
 * @returns {Need[]} those met by no present package
 */
export function unmetNeeds(needs, present) {
  return needs.filter((need) => !need.some((name) => present.has(name)))
}

/**
 * @param {readonly Need[]} needs
 * @param {ReadonlySet<string>} offered
 * @returns {string[]} one package for each need; the oldest name where the release offers none
 */
export function packagesToInstall(needs, offered) {
  return needs.map((need) => need.find((name) => offered.has(name)) ?? need.at(-1) ?? '')
}

/** @typedef {'app' | 'tests' | 'pictures' | 'packages' | 'packageTests'} Purpose */

/** @param {Purpose} purpose @returns {readonly Need[]} */
function needsFor(purpose) {
  if (purpose === 'packages') return packageNeeds
  if (purpose === 'packageTests') return [...appNeeds, ...testNeeds, ...packageTestNeeds]
  if (purpose === 'pictures') return [...needsFor('tests'), ...pictureNeeds]
  if (purpose === 'tests') return [...appNeeds, ...testNeeds, ...(findChromium() ? [] : [browserNeed])]
  return [...appNeeds, ...(hasDisplay() ? [] : displayNeeds)]
}

/** @param {Purpose} purpose @returns {Need[]} */
function missingFor(purpose) {
  const needs = needsFor(purpose)
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Abbrev} ${Package}\\n', ...needs.flat()], {
    encoding: 'utf8',
  })
  return unmetNeeds(needs, installedPackages(stdout))
}

/** @param {Need[]} needs */
function chosenPackages(needs) {
  const { stdout } = spawnSync('apt-cache', ['policy', ...needs.flat()], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  return packagesToInstall(needs, offeredPackages(stdout))
}

/**
 * Runs apt-get, waiting for another one: its own wait does not cover the lock of the package lists.
 * @param {string} doing
 * @param {string[]} args
 */
async function aptGet(doing, args) {
  const options = ['-o', 'DPkg::Lock::Timeout=300', '--yes', '--quiet', '--no-install-recommends']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
  const giveUpAtMs = performance.now() + 300_000
  for (;;) {
    const result = await runStep(stage, doing, 'apt-get', [...options, ...args], { env, role: 'uninterruptible' })
    const isLocked = /Could not get lock|Unable to lock/.test(result.output) && performance.now() < giveUpAtMs
    if (result.code === 0 || !isLocked) return result
    await sleep(2000)
  }
}

/** @param {Purpose} purpose */
async function install(purpose) {
  const startedAt = performance.now()
  say(stage, 'fetching the package lists (apt-get update)')
  const update = await aptGet('fetching the package lists', ['update'])
  // An unreachable source may not be the one needed: the installation decides.
  if (update.code !== 0) say(stage, 'some package lists could not be fetched, continuing with the present ones')
  const packages = chosenPackages(missingFor(purpose))
  say(stage, `installing ${packages.join(' ')}`)
  const { code, output } = await aptGet('installing', ['install', ...packages])
  if (code !== 0) throw new SetupError(`apt-get install failed:\n${output.trim().split('\n').slice(-15).join('\n')}`)
  say(stage, `installed (${secondsSince(startedAt)})`)
}

/**
 * Installs the packages that the app, the tests or the packaging need.
 * @param {Purpose} purpose
 * @throws {SetupError} with the command to run, when packages are missing and this user may not install them
 */
export async function ensureSystemPackages(purpose) {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/dpkg-query')) return
  const missing = missingFor(purpose)
  if (missing.length === 0) return say(stage, 'present')
  if (process.getuid?.() === 0) return install(purpose)
  const line = `sudo apt-get install --no-install-recommends ${chosenPackages(missing).join(' ')}`
  throw new SetupError(`system packages are missing; install them with\n\n  ${line}\n`)
}
