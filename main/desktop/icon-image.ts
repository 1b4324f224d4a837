import { join } from 'node:path'
import { app, nativeImage, type NativeImage } from 'electron'
import type { TrayIconState } from './tray-view'

/** The tray's picture of a state; Electron finds the files for finer screens beside it. macOS colours its own. */
export function trayImage({ connection, hasUnread, isMuted }: TrayIconState): NativeImage {
  const template = process.platform === 'darwin' ? 'Template' : ''
  return load(`tray-${connection}${hasUnread ? '-unread' : ''}${isMuted ? '-muted' : ''}${template}.png`)
}

/** The app's own icon, `size` pixels square. */
export function appImage(size: 64 | 128): NativeImage {
  return load(`app-${size}.png`)
}

function load(name: string): NativeImage {
  const file = join(app.getAppPath(), 'resources', 'icons', name)
  const image = nativeImage.createFromPath(file)
  // Electron answers a missing file by an empty picture, and the tray would show nothing.
  if (image.isEmpty()) throw new Error(`there is no picture at ${file}`)
  return image
}
