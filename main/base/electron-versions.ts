/**
 * What the app does differently by the Electron it runs on: 45 in packages, 33 where tests cannot get it. Everything else
 * is the same on both. docs/development/electron.md has what changed in between.
 */

/** The default window system of Chromium in a Wayland session. Before Electron 38 it was X11. */
export function defaultWindowSystem(electronMajor: number): 'auto' | 'x11' {
  return electronMajor >= 38 ? 'auto' : 'x11'
}

/** The used part of Electron's `safeStorage`. Older versions lack the asynchronous calls. */
export interface SystemStorage {
  getSelectedStorageBackend(): string
  isAsyncEncryptionAvailable?(): Promise<boolean>
  encryptStringAsync?(text: string): Promise<Buffer>
  /** Also reads the output of `encryptString`. */
  decryptStringAsync?(blob: Buffer): Promise<{ result: string }>
}

/** True if Electron has the asynchronous calls. Their answer counts then: on Plasma 6 the synchronous one is wrong. */
export function isAsynchronous(storage: SystemStorage): storage is Required<SystemStorage> {
  return (
    storage.isAsyncEncryptionAvailable !== undefined &&
    storage.encryptStringAsync !== undefined &&
    storage.decryptStringAsync !== undefined
  )
}
