import { app, type Session, type WebContents } from 'electron'
import type { Log } from '../base/log'

function lockContents(contents: WebContents, log: Log): void {
  // The page's content security policy does not cover WebRTC.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  const deny = (event: { preventDefault: () => void }, what: string) => {
    event.preventDefault()
    log.warn('The page tried to leave', { what })
  }
  contents.on('will-navigate', (event) => deny(event, 'navigate'))
  contents.on('will-frame-navigate', (event) => deny(event, 'navigate a frame'))
  contents.on('will-redirect', (event) => deny(event, 'redirect'))
  contents.on('will-attach-webview', (event) => deny(event, 'attach a web view'))
  contents.setWindowOpenHandler(() => {
    log.warn('The page tried to leave', { what: 'open a window' })
    return { action: 'deny' }
  })
}

function lockSession(session: Session, log: Log): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  // With the system's proxy, Chromium would resolve names that it must not look up.
  void session.setProxy({ mode: 'direct' })
  // Chromium would download dictionaries from Google, even with spelling turned off in the window.
  session.setSpellCheckerEnabled(false)
  session.setSpellCheckerLanguages([])
  session.on('will-download', (event) => {
    event.preventDefault()
    log.warn('The page tried to leave', { what: 'save a file' })
  })
}

/**
 * Prevents navigation, and denies all permissions, calls and downloads, in every page and session. Must run before the
 * first window.
 */
export function lockDown(log: Log): void {
  app.on('web-contents-created', (_event, contents) => lockContents(contents, log))
  app.on('session-created', (session) => lockSession(session, log))
}
