import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { app, safeStorage } from 'electron'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import { environmentWithSessionBus, isWithoutSessionBus } from '../base/session-bus'
import { KeyringProcess, serveKeyring, type ServedStorage } from './keyring-process'
import { SecretKeeper } from './secret-keeper'
import { isAsynchronous, systemEncryption, type SystemStorage } from './system-encryption'

const keyringFlag = '--keyring'

/** Whether this start asks the keyring for the app, and is no app. */
export function isForKeyring(argv: readonly string[]): boolean {
  return argv.includes(keyringFlag)
}

/** Keeps the secrets of the user's own keys in the operating system's keyring. To be used once Electron is ready. */
export function keyringSecrets(options: {
  file: JsonFile
  clock: Clock
  onError: (error: unknown) => void
}): SecretKeeper {
  const { platform } = process
  const otherProcess = new KeyringProcess(startProcess)
  // Asked by this process, Chromium would connect to the bus.
  const isAskedApart = isWithoutSessionBus()
  const encryption = systemEncryption(safeStorage, platform, { otherProcess, isAskedApart })
  return new SecretKeeper({ ...options, encryption, platform })
}

/** As the app itself was started: with another name, profile or store the keyring would have another key. */
function startProcess() {
  const { commandLine } = app
  const store = commandLine.getSwitchValue('password-store')
  const args = [
    ...(commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : []),
    ...(app.isPackaged ? [] : [app.getAppPath()]),
    keyringFlag,
    `--user-data-dir=${app.getPath('userData')}`,
    ...(store === '' ? [] : [`--password-store=${store}`]),
    '--disable-gpu',
    // It shows nothing: no window system is needed.
    ...(process.platform === 'linux' ? ['--ozone-platform=headless'] : []),
  ]
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env: environmentWithSessionBus() })
}

/** What the asynchronous calls have encrypted the synchronous ones may not read. */
function asynchronousStorage(storage: Required<SystemStorage>): ServedStorage {
  return {
    isEncryptionAvailable: () => storage.isAsyncEncryptionAvailable(),
    encryptString: (text) => storage.encryptStringAsync(text),
    decryptString: async (blob) => (await storage.decryptStringAsync(blob)).result,
  }
}

/**
 * Asks the keyring for the app. Refuses where every start can do that itself: on macOS the keyring asks its user once for
 * each program, and this one must not read it for others. On Linux a watch cannot.
 */
export async function answerForApp(input: Readable, output: Writable): Promise<void> {
  const isAsync = isAsynchronous(safeStorage)
  if (isAsync && process.platform !== 'linux') return
  await app.whenReady()
  await serveKeyring(isAsync ? asynchronousStorage(safeStorage) : safeStorage, input, output)
}
