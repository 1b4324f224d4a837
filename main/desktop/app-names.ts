/**
 * The names by which systems know the app: what a user pinned, allowed or stored under one is lost when it changes. They
 * never do; the packages have them too (`electron-builder.yml`, `package.json`).
 */

/** The bundle on macOS and, as the AppUserModelID, what notifications and the taskbar go by on Windows. */
export const appId = 'org.indexwatch.Indexwatch'
