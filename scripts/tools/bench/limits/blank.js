// @ts-check
// The smallest Electron app: a blank window, or with `tray` only a tray icon.
import { app, BrowserWindow, nativeImage, Tray } from 'electron'

void app.whenReady().then(() => {
  if (process.argv.includes('tray')) {
    const tray = new Tray(nativeImage.createEmpty())
    tray.setToolTip('Blank')
    return
  }
  const window = new BrowserWindow({ width: 1100, height: 760 })
  void window.loadURL('data:text/html,<title>Blank</title><p>Blank')
})
