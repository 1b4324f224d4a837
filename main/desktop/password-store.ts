/** Desktops by which Chromium itself finds a keyring, as `XDG_CURRENT_DESKTOP` spells them. */
const knownDesktops = new Set(['cinnamon', 'deepin', 'gnome', 'kde', 'pantheon', 'ukui', 'unity', 'x-cinnamon', 'xfce'])

/**
 * What to give Chromium as `--password-store` on Linux, or `undefined` to leave the choice to it. On a desktop it does
 * not know it takes a fixed, public key although a keyring may well be running (Sway and i3 with gnome-keyring, or
 * KeePassXC), so there the Secret Service is named. Without a session bus nothing could answer.
 */
export function passwordStore(options: {
  platform: NodeJS.Platform
  currentDesktop: string | undefined
  hasSwitch: boolean
  hasSessionBus: boolean
}): 'gnome-libsecret' | undefined {
  const { platform, currentDesktop = '', hasSwitch, hasSessionBus } = options
  if (platform !== 'linux' || hasSwitch || !hasSessionBus) return undefined
  const desktops = currentDesktop.toLowerCase().split(':')
  return desktops.some((name) => knownDesktops.has(name)) ? undefined : 'gnome-libsecret'
}
