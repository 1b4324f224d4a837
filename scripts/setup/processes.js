// @ts-check
// Starts every child process of the project's commands. One signal ends the command and everything it started.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say, secondsSince, showProgress } from './terminal.js'

/** The project's folder. */
export const projectRoot = resolve(fileURLToPath(new URL('../..', import.meta.url)))

const graceMs = 8000
const repeatMs = 1500
const ancestorCheckMs = 500
const maxOutput = 200_000
const separateGroups = process.platform !== 'win32'

/**
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {'task' | 'helper' | 'uninterruptible'} Role a helper, such as a display, ends after the tasks it serves.
 *   An uninterruptible process, such as a package manager, is signalled but never killed.
 */

/** @type {Map<ChildProcess, { role: Role, endSignal: NodeJS.Signals | undefined }>} */
const living = new Map()
/** @type {NodeJS.Signals | undefined} */
let endingBy
let firstSignalAtMs = 0
let watching = false

/** Thrown to stop the command's work after a signal. */
class Interrupted extends Error {}

/** An error whose message is for the user. It is shown without a stack. */
export class SetupError extends Error {}

/** @throws {Interrupted} after a signal, because a child's exit code then only says that the signal ended it */
export function throwIfEnding() {
  if (endingBy) throw new Interrupted(endingBy)
}

/** @param {ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(separateGroups ? -child.pid : child.pid, signal)
  } catch {
    // The process has ended already.
  }
}

/** @param {NodeJS.Signals} signal */
function endAll(signal) {
  const now = performance.now()
  const isFirst = endingBy === undefined
  // Ctrl-C in a terminal arrives twice, once from npm. Only a later Ctrl-C means "kill now".
  if (!isFirst && now - firstSignalAtMs < repeatMs) return
  endingBy ??= signal
  if (isFirst) firstSignalAtMs = now
  const tasks = [...living].filter(([, { role }]) => role !== 'helper')
  if (tasks.length === 0) process.exit(exitCodeOf(null, signal))
  for (const [child, { role, endSignal = signal }] of tasks) {
    // Signals only the leader of the group, so that it can end its children in its own order.
    if (isFirst || role === 'uninterruptible') child.kill(endSignal)
    else signalGroup(child, 'SIGKILL')
    if (role === 'task') setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs).unref()
  }
}

/** The shell that npm started this process in and, where the system shows it, npm itself. */
function ancestors() {
  const shell = process.ppid
  try {
    // The name in parentheses may contain anything. The parent's id is the second field after it.
    const npm = readFileSync(`/proc/${shell}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[1]
    return `${shell} ${npm}`
  } catch {
    return String(shell)
  }
}

function watchSignals() {
  if (watching) return
  watching = true
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => endAll(signal))
  // Ctrl+\ ends Node at once, and with it the only process that knows the children. Windows has no such signal.
  if (separateGroups) process.on('SIGQUIT', () => endAll('SIGTERM'))
  process.on('exit', () => {
    for (const [child, { role }] of living) signalGroup(child, role === 'task' ? 'SIGKILL' : 'SIGTERM')
  })
  // npm and its shell do not forward every signal. This process notices their end by a change of its ancestors.
  const before = ancestors()
  if (process.env['npm_lifecycle_event'] !== undefined)
    setInterval(() => ancestors() !== before && endAll('SIGTERM'), ancestorCheckMs).unref()
}

/** The environment of child processes. The project's tools, including Node 24, come first on PATH. @param {NodeJS.ProcessEnv} [extra] */
export function toolEnvironment(extra = {}) {
  const tools = join(projectRoot, 'node_modules', '.bin')
  const rest = pathWithoutTools()
  return { ...process.env, PATH: [tools, ...rest].join(delimiter), ...extra }
}

/** PATH without any node_modules/.bin. npm runs on the system's Node, because it replaces the project's Node. */
export function pathWithoutTools() {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder))
}

/**
 * Starts a child in its own process group. A signal then reaches it once, and its descendants can be ended too.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { role?: Role, endSignal?: NodeJS.Signals }} [options] `endSignal`
 *   is for a child that cleans up only on that signal. By default the child gets the signal received.
 */
export function startChild(command, args, { role = 'task', endSignal, ...options } = {}) {
  watchSignals()
  throwIfEnding()
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: toolEnvironment(),
    ...options,
    detached: separateGroups,
    windowsHide: true,
  })
  living.set(child, { role, endSignal })
  child.once('error', () => living.delete(child))
  child.once('exit', () => {
    living.delete(child)
    // A package manager may have started services. They keep running.
    if (role !== 'uninterruptible') signalGroup(child, 'SIGKILL')
  })
  return child
}

/** @param {number | null} code @param {NodeJS.Signals | null} signal @returns {number} as a shell would report it */
function exitCodeOf(code, signal) {
  return code ?? (signal ? 128 + constants.signals[signal] : 1)
}

/** Waits for a child's end and returns its exit code, or 127 if it could not be started. @param {ChildProcess} child @returns {Promise<number>} */
export function ended(child) {
  return new Promise((done) => {
    child.once('error', () => done(127))
    child.once('close', (code, signal) => done(exitCodeOf(code, signal)))
  })
}

/**
 * Runs a program in Node, with the output of this terminal. Returns its exit code.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] variables in addition to those of this process
 * @param {Parameters<typeof startChild>[2]} [options]
 */
export function runNode(args, env, options = {}) {
  const stdio = /** @type {const} */ (['ignore', 'inherit', 'inherit'])
  return ended(startChild('node', args, { env: toolEnvironment(env), stdio: [...stdio], ...options }))
}

/**
 * Runs a long step with its output captured and its progress shown.
 * @param {string} stage
 * @param {string} doing the text of the progress line
 * @param {string} command
 * @param {string[]} args
 * @param {Parameters<typeof startChild>[2] & { timeoutMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runStep(stage, doing, command, args, { timeoutMs, ...options } = {}) {
  const startedAt = performance.now()
  const child = startChild(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-maxOutput)))
  child.once('error', (error) => (output += error.message))
  const endShowing = showProgress(stage, () => `${doing} (${secondsSince(startedAt)})`)
  const limit = timeoutMs === undefined ? undefined : setTimeout(() => signalGroup(child, 'SIGKILL'), timeoutMs)
  try {
    const code = await ended(child)
    throwIfEnding()
    return { code, output }
  } finally {
    clearTimeout(limit)
    endShowing()
  }
}

/**
 * Runs a job for each item, two at a time.
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<void>} job
 */
export async function twoAtATime(items, job) {
  const waiting = [...items]
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await job(item)
  }
  await Promise.all([work(), work()])
}

/** Runs a command's body and ends the process with its exit code. @param {() => Promise<number>} body */
export async function runCommand(body) {
  watchSignals()
  try {
    process.exit(await body())
  } catch (error) {
    if (endingBy) process.exit(exitCodeOf(null, endingBy))
    say('stopped', error instanceof SetupError ? error.message : String(error instanceof Error ? error.stack : error))
    process.exit(1)
  }
}
