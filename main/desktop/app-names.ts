/**
 * The names by which systems know the app: what a user pinned, allowed or stored under a name is lost when it changes. So they
 * never change; the packages have them too (`electron-builder.yml`, `package.json`).
 */

/** The bundle on macOS and, as the AppUserModelID, what notifications and the taskbar go by on Windows. */
export const appId = 'org.indexwatch.Indexwatch'

/** What windows call the app. A test build's version ends so; it is to be taken for nothing else. */
export function appTitle(version: string): string {
  return version.endsWith('-test') ? 'Indexwatch TEST BUILD' : 'Indexwatch'
}
