import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { app, safeStorage } from 'electron'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import { KeyringProcess, serveKeyring } from './keyring-process'
import { SecretKeeper } from './secret-keeper'
import { isAsynchronous, systemEncryption } from './system-encryption'

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
  const encryption = systemEncryption(safeStorage, platform, new KeyringProcess(startProcess))
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
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] })
}

/**
 * Asks the keyring for the app. Refuses where the app can do that itself: on macOS the keyring asks its user once for each
 * program, and this one must not read it for others.
 */
export async function answerForApp(input: Readable, output: Writable): Promise<void> {
  if (isAsynchronous(safeStorage)) return
  await app.whenReady()
  await serveKeyring(safeStorage, input, output)
}
