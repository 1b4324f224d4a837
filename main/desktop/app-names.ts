/**
 * The names by which systems know the app. They never change: pins, permissions and stored data are bound to them. The
 * packages repeat them (`electron-builder.yml`, `package.json`).
 */

/** Bundle id on macOS. On Windows the AppUserModelID, which notifications and the taskbar use. */
export const appId = 'org.indexwatch.Indexwatch'

/** The title of windows. A test build is named as such. */
export function appTitle(version: string): string {
  return version.endsWith('-test') ? 'Indexwatch TEST BUILD' : 'Indexwatch'
}
