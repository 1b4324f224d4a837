import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { app, safeStorage } from 'electron'
import type { Clock } from '../base/clock'
import { isAsynchronous, type SystemStorage } from '../base/electron-versions'
import type { JsonFile } from '../base/json-file'
import { environmentWithSessionBus, isWithoutSessionBus } from '../base/session-bus'
import { KeyringProcess, serveKeyring, type ServedStorage } from './keyring-process'
import { SecretKeeper } from './secret-keeper'
import { systemEncryption } from './system-encryption'

const keyringFlag = '--keyring'

/** True if this process was started to access the keyring for the app. */
export function isForKeyring(argv: readonly string[]): boolean {
  return argv.includes(keyringFlag)
}

/** Stores the secrets of the user's keys in the operating system's keyring. Use it after Electron is ready. */
export function keyringSecrets(options: {
  file: JsonFile
  clock: Clock
  onError: (error: unknown) => void
}): SecretKeeper {
  const { platform } = process
  const otherProcess = new KeyringProcess(startProcess)
  // Accessing the keyring in this process would connect Chromium to the session bus.
  const usesOtherProcess = isWithoutSessionBus()
  const encryption = systemEncryption(safeStorage, platform, { otherProcess, usesOtherProcess })
  return new SecretKeeper({ ...options, encryption, platform })
}

/** Uses the app's own name, profile and password store. With others the keyring would use another encryption key. */
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
    // No window system is needed.
    ...(process.platform === 'linux' ? ['--ozone-platform=headless'] : []),
  ]
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env: environmentWithSessionBus() })
}

/** The synchronous calls may be unable to read what the asynchronous ones encrypted. */
function asynchronousStorage(storage: Required<SystemStorage>): ServedStorage {
  return {
    isEncryptionAvailable: () => storage.isAsyncEncryptionAvailable(),
    encryptString: (text) => storage.encryptStringAsync(text),
    decryptString: async (blob) => (await storage.decryptStringAsync(blob)).result,
  }
}

/**
 * Accesses the keyring for the app. Refused where each process can do that itself. On macOS the keyring asks the user
 * once for each program, and this process must not read secrets for other programs. On Linux the headless watch needs
 * it.
 */
export async function answerForApp(input: Readable, output: Writable): Promise<void> {
  const isAsync = isAsynchronous(safeStorage)
  if (isAsync && process.platform !== 'linux') return
  await app.whenReady()
  await serveKeyring(isAsync ? asynchronousStorage(safeStorage) : safeStorage, input, output)
}
