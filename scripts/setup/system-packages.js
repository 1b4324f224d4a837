// @ts-check
// Installs the system libraries that Electron, its display and the tests need, on Debian and Ubuntu. Does nothing on
// other systems, because the names of their packages are unknown.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError, runStep } from './processes.js'
import { hasDisplay } from './display.js'
import { say, secondsSince } from './terminal.js'

const stage = 'system packages'

/**
 * Names of one library in different releases. Any of these packages will do.
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
/** The server of a desk. @type {readonly Need[]} */
const deskNeeds = [['nats-server']]
/** @type {readonly Need[]} */
const testNeeds = [
  ...displayNeeds,
  ...deskNeeds,
  ['dbus-daemon', 'dbus'],
  ['gnome-keyring'],
  // The window in which the keyring asks for its password.
  ['gcr'],
  ['libsecret-1-0'],
  // A real notification daemon and a real panel.
  ['dunst'],
  ['xfce4-panel'],
  ['xfconf'],
  // A Wayland compositor that draws on the virtual display.
  ['weston'],
  // A real proxy, and a recorder of every connection that a process opens.
  ['tinyproxy-bin'],
  ['strace'],
  // Lists the windows on a screen and sends them key presses.
  ['x11-utils'],
  ['xdotool'],
  // The program that reports to systemd, and a listener in place of systemd.
  ['systemd'],
  ['python3'],
  // Compiles a library that makes system calls fail.
  ['gcc'],
  ['libc6-dev'],
]
/** Opens exported tables. @type {readonly Need[]} */
const deepTestNeeds = [['libreoffice-calc-nogui', 'libreoffice-calc']]
/** Joins pictures into an animation. @type {readonly Need[]} */
const pictureNeeds = [['imagemagick']]
/** Builds test packages. @type {readonly Need[]} */
const packageNeeds = [['7zip'], ['desktop-file-utils'], ['dpkg'], ['rpm'], ['squashfs-tools']]
/** Tests those packages: a new Debian system, FUSE, and programs that inspect windows. @type {readonly Need[]} */
const packageTestNeeds = [
  ['appstream'],
  ['debootstrap'],
  ['desktop-file-utils'],
  ['fuse3'],
  ['squashfs-tools'],
  ['squashfuse'],
]
/**
 * The Chromium for the page tests. The headless shell comes first, because it needs half the processor time.
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
 * @returns {Set<string>} the packages that are completely installed, not removed or half-configured
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
 * @returns {Need[]} the needs that no present package meets
 */
export function unmetNeeds(needs, present) {
  return needs.filter((need) => !need.some((name) => present.has(name)))
}

/**
 * @param {readonly Need[]} needs
 * @param {ReadonlySet<string>} offered
 * @returns {string[]} one package for each need. The oldest name if the release offers none of them.
 */
export function packagesToInstall(needs, offered) {
  return needs.map((need) => need.find((name) => offered.has(name)) ?? need.at(-1) ?? '')
}

/** @typedef {'app' | 'desk' | 'tests' | 'pictures' | 'deepTests' | 'packages' | 'packageTests'} Purpose */

/** @param {Purpose} purpose @returns {readonly Need[]} */
function needsFor(purpose) {
  if (purpose === 'packages') return packageNeeds
  if (purpose === 'packageTests') return [...appNeeds, ...testNeeds, ...packageTestNeeds]
  if (purpose === 'deepTests') return [...needsFor('tests'), ...deepTestNeeds]
  if (purpose === 'pictures') return [...needsFor('tests'), ...pictureNeeds]
  if (purpose === 'tests') return [...appNeeds, ...testNeeds, ...(findChromium() ? [] : [browserNeed])]
  return [...appNeeds, ...(hasDisplay() ? [] : displayNeeds), ...(purpose === 'desk' ? deskNeeds : [])]
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
 * Runs apt-get after another apt-get has ended. apt-get's own wait does not cover the lock of the package lists.
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
  // An unreachable package source may not be needed. The installation shows whether it is.
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
