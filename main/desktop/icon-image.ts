import { nativeImage, type NativeImage } from 'electron'
import { drawIcon, type IconLook } from './icon-drawing'

/** The icon as Electron takes it; Electron's bitmaps go blue, green, red, alpha. */
export function iconImage(look: IconLook, size: number): NativeImage {
  const bitmap = Buffer.from(drawIcon(look, size))
  for (let at = 0; at < bitmap.length; at += 4) {
    const red = bitmap.readUInt8(at)
    bitmap.writeUInt8(bitmap.readUInt8(at + 2), at)
    bitmap.writeUInt8(red, at + 2)
  }
  return nativeImage.createFromBitmap(bitmap, { width: size, height: size })
}
