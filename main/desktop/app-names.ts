/**
 * The names by which systems know the app: what a user pinned, allowed or stored under a name is lost when it changes. So they
 * never change; the packages have them too (`electron-builder.yml`, `package.json`).
 */

/** The bundle on macOS and, as the AppUserModelID, what notifications and the taskbar go by on Windows. */
export const appId = 'org.indexwatch.Indexwatch'
