import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, nativeImage, type NativeImage } from 'electron'
import type { DaemonImage } from './notification-daemon'
import type { TrayIconState } from './tray-view'

/** The tray icon of a state, at each display scale. macOS colours it itself. */
export function trayImage({ connection, hasUnread, isMuted }: TrayIconState): NativeImage {
  const isTemplate = process.platform === 'darwin'
  const name = `tray-${connection}${hasUnread ? '-unread' : ''}${isMuted ? '-muted' : ''}${isTemplate ? 'Template' : ''}`
  const image = load(name, [1, 1.5, 2])
  image.setTemplateImage(isTemplate)
  return image
}

/** The app's own icon, `size` pixels square. */
export function appImage(size: 64 | 128): NativeImage {
  return load(`app-${size}`, [1])
}

/** The app's icon for the notification daemon of a Linux desktop, which needs RGBA instead of BGRA. */
export function daemonImage(size: 64 | 128): DaemonImage {
  const rgba = appImage(size).toBitmap()
  for (let at = 0; at < rgba.length; at += 4) {
    const [blue = 0, , red = 0] = rgba.subarray(at, at + 3)
    rgba[at] = red
    rgba[at + 2] = blue
  }
  return { width: size, height: size, rgba }
}

/**
 * Reads an icon through `readFileSync`, from the archive that was open at the start. Electron's own image loading would
 * open the archive that an upgrade put in its place, and fail.
 */
function load(name: string, scales: readonly number[]): NativeImage {
  const image = nativeImage.createEmpty()
  for (const scaleFactor of scales) {
    const file = `${name}${scaleFactor === 1 ? '' : `@${scaleFactor}x`}.png`
    const buffer = readFileSync(join(app.getAppPath(), 'resources', 'icons', file))
    image.addRepresentation({ scaleFactor, buffer })
  }
  return image
}
